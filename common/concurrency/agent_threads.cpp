#include "common/concurrency/agent_threads.h"

#include "common/concurrency/pinned_thread.h"

#include <algorithm>
#include <map>

namespace lw {

Result<void> AgentThreads::start(const Options& options, const std::vector<Placed>& agents) {
  options_ = options;
  agents_.reserve(agents.size());
  // Of those that are not pinned, each core's share has a thread: their keys are below 0.
  const auto cores = static_cast<int>(std::max<std::size_t>(1, allowed_cpus().size()));
  std::map<int, std::vector<Stepped*>> threads;
  int unpinned = 0;
  for (const auto& placed : agents) {
    auto& stepped = agents_.emplace_back(Stepped{placed});
    threads[placed.cpu >= 0 ? placed.cpu : -1 - unpinned++ % cores].push_back(&stepped);
  }
  for (const auto& [cpu, of_thread] : threads)
    if (const auto started = start_thread_of(of_thread, std::max(cpu, -1)); !started) return started.error();
  return {};
}

void AgentThreads::stop() {
  for (auto& runner : runners_) runner->stop();
}

Result<Runner*> AgentThreads::start_thread_of(const std::vector<Stepped*>& agents, int cpu) {
  std::vector<Agent*> stepped;
  for (const auto* one : agents) stepped.push_back(one->placed.agent);
  const auto name = agents.size() == 1
                        ? options_.name + '-' + std::to_string(agents.front()->placed.number)
                        : options_.name + "s-" + std::to_string(cpu >= 0 ? cpu : static_cast<int>(runners_.size()));
  auto runner = Runner::start({name, cpu, options_.realtime_priority, options_.spin, options_.nap}, stepped);
  if (!runner) return runner.error();
  for (auto* one : agents) one->runner = runner->get();
  return runners_.emplace_back(std::move(*runner)).get();
}

Runner* AgentThreads::runner_on(int cpu) const {
  const auto found = std::ranges::find_if(runners_, [&](const auto& one) { return cpu >= 0 && one->cpu() == cpu; });
  return found == runners_.end() ? nullptr : found->get();
}

Result<void> AgentThreads::move(std::size_t agent, int cpu) {
  auto& stepped = agents_[agent];
  auto* const from = stepped.runner;
  auto* const to = runner_on(cpu);
  if (to == from) return {};
  if (to == nullptr && from->agents() == 1) return from->move_to(cpu);
  if (cpu >= 0)
    if (auto allowed = check_cpus({static_cast<unsigned>(cpu)}); !allowed) return allowed;
  from->remove(*stepped.placed.agent);
  if (to != nullptr) {
    to->add(*stepped.placed.agent);
    stepped.runner = to;
  } else if (auto started = start_thread_of({&stepped}, cpu); !started) {
    from->add(*stepped.placed.agent);
    return started.error();
  }
  if (from->agents() == 0) std::erase_if(runners_, [&](const auto& one) { return one.get() == from; });
  return {};
}

std::vector<std::uint64_t> AgentThreads::turns() {
  std::vector<std::uint64_t> turns;
  for (const auto& agent : agents_) turns.push_back(agent.runner->turns());
  for (const auto& runner : runners_) runner->nudge();
  return turns;
}

}  // namespace lw
