// Runs agents on one thread: waits for what they wait for, spins if configured, and counts turns for the watchdog.
// Several agents may share the thread; each is stepped when it asks to be.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/doorbell.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace lw {

class Runner {
public:
  struct Options {
    std::string name;                // of the thread, cut to the kernel's 15 characters
    int cpu = -1;                    // < 0: not pinned
    unsigned realtime_priority = 0;  // 1 to 99: SCHED_FIFO, where the host allows it
    Nanoseconds spin{0};             // the end of a wait is spent spinning, so that it ends on time
  };

  // Starts the thread; an error if there is no descriptor for the bell that ends it. The agents must outlive the
  // runner. `bell` belongs to them: ring it after handing them work.
  static Result<std::unique_ptr<Runner>> start(const Options& options, std::vector<Agent*> agents, Doorbell& bell);
  ~Runner();  // ends the agents and joins
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // The control thread: the CPU of the thread; < 0: not pinned. Its memory stays where it is when the thread is moved.
  [[nodiscard]] int cpu() const { return cpu_; }
  Result<void> move_to(int cpu);

  // Any thread. A nudge causes a turn, which tells a hanging thread from an idle one.
  void nudge() { bell_.ring(); }
  [[nodiscard]] std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }

private:
  Runner(const Options& options, std::vector<Agent*> agents, Doorbell& bell);
  struct Stepped {
    Agent* agent = nullptr;
    Wait wait;
  };
  void run(const std::stop_token& stop);
  void step_all(bool was_rung);
  void wait(std::uint32_t bell_seen);

  Nanoseconds spin_;  // set before the thread runs, then used by it only
  int cpu_;
  std::vector<Stepped> agents_;
  std::vector<int> descriptors_;  // of all agents, during a wait
  Doorbell& bell_;
  std::atomic<std::uint64_t> turns_{0};
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
