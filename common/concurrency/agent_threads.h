// The threads that step a program's flows. Flows that are placed on the same CPU share its thread: threads are as many
// as the cores that flows may use, or as the flows, where these are fewer. The control thread.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/runner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// A CPU as threads take it: below 0 for any.
inline int cpu_number(const std::optional<unsigned>& cpu) { return cpu ? static_cast<int>(*cpu) : -1; }
inline std::optional<unsigned> cpu_of(int number) {
  return number >= 0 ? std::optional(static_cast<unsigned>(number)) : std::nullopt;
}

class AgentThreads {
public:
  struct Options {
    std::string name;                // of a thread that steps one agent, before its number; of several, with an s and
                                     // the CPU behind it
    unsigned realtime_priority = 0;  // as Runner's, as is
    Nanoseconds spin{0};
    Nanoseconds nap{0};
  };
  struct Placed {
    Agent* agent = nullptr;
    unsigned number = 0;
    int cpu = -1;  // < 0: any; these agents share as many threads as there are cores
  };

  AgentThreads() = default;
  // The agents must outlive this object.
  Result<void> start(const Options& options, const std::vector<Placed>& agents);
  // Ends the agents and the threads. Bells may still be rung until this object is destroyed.
  void stop();

  // By the place in `agents`: the CPU it is stepped on; < 0: not pinned.
  [[nodiscard]] int cpu_of(std::size_t agent) const { return agents_[agent].runner->cpu(); }
  // Moves an agent to the thread of that CPU, which is started if there is none; < 0: to a separate thread that is not
  // pinned. Memory stays where it is.
  Result<void> move(std::size_t agent, int cpu);

  // Wakes the threads; by the place in `agents`, the turns that its thread has taken since it began.
  std::vector<std::uint64_t> turns();
  [[nodiscard]] std::size_t threads() const { return runners_.size(); }

private:
  struct Stepped {
    Placed placed;
    Runner* runner = nullptr;
  };
  Result<Runner*> start_thread_of(const std::vector<Stepped*>& agents, int cpu);
  [[nodiscard]] Runner* runner_on(int cpu) const;

  Options options_;
  std::vector<Stepped> agents_;
  std::vector<std::unique_ptr<Runner>> runners_;
};

}  // namespace lw
