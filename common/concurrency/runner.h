// Runs agents on one thread: waits for what they wait for, spins if configured, and counts turns for the watchdog.
// Several agents may share the thread. A turn steps the agents that are due, were rung for or have something to read,
// and looks at no other: its cost does not grow with the number of agents.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/due_heap.h"
#include "common/concurrency/sleeper.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
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
    // After something could be read, descriptors and bells are left alone for so long: what comes meanwhile is taken
    // in one turn. Agents that are due are stepped in time.
    Nanoseconds nap{0};
  };

  // Starts the thread; an error if there are no descriptors to wake it by. The agents must outlive the runner.
  static Result<std::unique_ptr<Runner>> start(const Options& options, const std::vector<Agent*>& agents);
  ~Runner();  // stops
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // The control thread, all of these.
  // Ends the agents and joins. Bells may still be rung until the runner is destroyed.
  void stop();
  // Begins or stops to step an agent here, before it returns. A removed agent is not ended.
  void add(Agent& agent);
  void remove(Agent& agent);
  [[nodiscard]] std::size_t agents() const { return count_; }
  // The CPU of the thread; < 0: not pinned. Memory stays where it is when the thread is moved; its agents begin again.
  [[nodiscard]] int cpu() const { return cpu_; }
  Result<void> move_to(int cpu);

  // Any thread. A nudge causes a turn, which tells a hanging thread from an idle one.
  void nudge() { nudge_.ring(); }
  [[nodiscard]] std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }

private:
  struct Stepped {
    Agent* agent = nullptr;      // none: the place is free
    std::vector<int> watched;    // descriptors that the kernel knows of
    std::uint32_t heard = 0;     // rings before the last step
    bool hears = true;           // its bell
    bool ready = false;          // stepped in this turn
    bool readable = true;        // a descriptor, or nobody has looked since the last step
    Nanoseconds stepped_for{0};  // since CPU time was charged last
  };

  Runner(const Options& options, std::unique_ptr<Sleeper> sleeper, const std::vector<Agent*>& agents);
  void run(const std::stop_token& stop);
  void gather();
  void make_ready(std::uint32_t place);
  void step_ready();
  void step(std::uint32_t place);
  void watch(std::uint32_t place, std::span<const int> descriptors);
  void rest();
  bool nap(LocalTime until);
  void poll(std::optional<Nanoseconds> at_most);
  void charge();
  void take_in(Agent& agent);
  void let_go(Agent& agent);
  void begin_again();
  void say_who_is_alone();
  void change(std::function<void()> change);
  void carry_out_change();

  const std::unique_ptr<Sleeper> sleeper_;
  Doorbell nudge_;
  int cpu_;
  std::size_t count_ = 0;  // of agents, as the control thread knows it
  std::atomic<std::uint64_t> turns_{0};

  // What the thread is to do between two turns, a few times an hour.
  std::mutex change_mutex_;
  std::condition_variable changed_;
  std::function<void()> change_;
  std::atomic<bool> change_wanted_{false};

  // Its thread's, once that runs.
  Nanoseconds spin_;
  const Nanoseconds nap_;
  LocalTime nap_ends_{};
  Nanoseconds shortest_sleep_{0};
  std::vector<Stepped> agents_;
  std::size_t stepping_ = 0;  // of them
  DueHeap due_;
  std::vector<std::uint32_t> ready_;
  Moment now_;
  LocalTime polled_{};
  std::vector<std::uint32_t> to_charge_;
  Nanoseconds stepped_for_{0};  // all, since CPU time was charged
  LocalTime charged_{};
  double charged_cpu_s_ = 0;
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
