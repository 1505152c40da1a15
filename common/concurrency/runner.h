// Runs agents on one thread of its own: waits for what they wait for, spins where that is wanted, counts turns for the
// watchdog. Several agents may share it; each is stepped when it wants to be.
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
    Nanoseconds spin{0};             // the end of a wait that is spent spinning, so that it ends on time
  };

  // Starts the thread, or nothing where the bell that ends it cannot be had. The agents outlive this. `bell` is theirs:
  // who hands them work rings it.
  static Result<std::unique_ptr<Runner>> start(const Options& options, std::vector<Agent*> agents, Doorbell& bell);
  ~Runner();  // ends the agents and joins
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // The control thread: the CPU that it is on; < 0: not pinned. Where it is moved to, its memory does not follow.
  [[nodiscard]] int cpu() const { return cpu_; }
  Result<void> move_to(int cpu);

  // Any thread. A nudge causes a turn, which distinguishes a thread that hangs from an idle one.
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

  Nanoseconds spin_;  // its thread's, once that runs
  int cpu_;
  std::vector<Stepped> agents_;
  std::vector<int> descriptors_;  // of all, while it waits
  Doorbell& bell_;
  std::atomic<std::uint64_t> turns_{0};
  std::jthread thread_;  // last: joined before what it uses goes
};

}  // namespace lw
