#include "common/concurrency/runner.h"

#include "common/base/timespec.h"
#include "common/concurrency/pinned_thread.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lw {

Result<std::unique_ptr<Runner>> Runner::start(const Options& options, std::vector<Agent*> agents, Doorbell& bell) {
  if (const auto hung = bell.hang(); !hung) return hung.error();
  return std::unique_ptr<Runner>(new Runner(options, std::move(agents), bell));
}

Runner::Runner(const Options& options, std::vector<Agent*> agents, Doorbell& bell)
    : spin_(options.spin), cpu_(options.cpu), bell_(bell) {
  assert(!agents.empty());
  for (auto* agent : agents) agents_.push_back({agent, {LocalTime::min()}});
  descriptors_.reserve(64);
  thread_ = start_thread(
      options.name, options.cpu, [this](const std::stop_token& stop) { run(stop); }, options.realtime_priority);
}

Runner::~Runner() {
  thread_.request_stop();
  thread_.join();
}

Result<void> Runner::move_to(int cpu) {
  if (auto moved = move_thread(thread_, cpu); !moved) return moved;
  cpu_ = cpu;
  return {};
}

void Runner::run(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { bell_.ring(); });
  const auto sleep = shortest_sleep();
  if (spin_ > Nanoseconds{0}) spin_ += sleep;  // a shorter sleep would take longer
  for (auto& stepped : agents_) stepped.agent->begin(sleep);
  auto heard = bell_.count();
  while (!stop.stop_requested()) {
    turns_.fetch_add(1, std::memory_order_relaxed);
    const auto seen = bell_.count();
    step_all(std::exchange(heard, seen) != seen);
    if (!stop.stop_requested()) wait(seen);
  }
  for (auto& stepped : agents_) stepped.agent->end();
}

// Agents that wait for descriptors are stepped after every wake-up: checking is cheaper for them than asking the kernel
// which descriptor it was.
void Runner::step_all(bool was_rung) {
  for (auto& [agent, wait] : agents_) {
    const auto now = Moment::now();
    if (now.local >= wait.until || !wait.descriptors.empty() || (was_rung && wait.hears_bell)) wait = agent->step(now);
  }
}

void Runner::wait(std::uint32_t bell_seen) {
  auto until = LocalTime::max();
  bool hears = false;
  descriptors_.clear();
  for (const auto& [agent, wait] : agents_) {
    until = std::min(until, wait.until);
    hears = hears || wait.hears_bell;
    descriptors_.insert(descriptors_.end(), wait.descriptors.begin(), wait.descriptors.end());
  }
  if (until == LocalTime::max()) return bell_.wait(bell_seen, hears, descriptors_, nullptr);
  LocalTime now = LocalClock::now();
  if (until - now > spin_) {
    const auto time = to_timespec(until - now - spin_);
    bell_.wait(bell_seen, hears, descriptors_, &time);
    now = LocalClock::now();
    if (until - now > spin_) return;  // woken
  }
  for (; now < until; now = LocalClock::now()) relax_cpu();
}

}  // namespace lw
