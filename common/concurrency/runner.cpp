#include "common/concurrency/runner.h"

#include "common/concurrency/pinned_thread.h"

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr std::uint32_t nobody = UINT32_MAX - 1;  // the place of the nudge
// While somebody is always due, descriptors are looked at so often: an agent that is due listens by itself.
constexpr std::chrono::milliseconds poll_interval{1};
constexpr std::chrono::milliseconds charge_interval{10};

}  // namespace

Result<std::unique_ptr<Runner>> Runner::start(const Options& options, const std::vector<Agent*>& agents) {
  auto sleeper = Sleeper::make();
  if (!sleeper) return sleeper.error();
  return std::unique_ptr<Runner>(new Runner(options, std::move(*sleeper), agents));
}

Runner::Runner(const Options& options, std::unique_ptr<Sleeper> sleeper, const std::vector<Agent*>& agents)
    : sleeper_(std::move(sleeper)), cpu_(options.cpu), count_(agents.size()), spin_(options.spin), nap_(options.nap) {
  nudge_.hang(*sleeper_, nobody);
  thread_ = start_thread(
      options.name, options.cpu,
      [this, agents](const std::stop_token& stop) {
        shortest_sleep_ = shortest_sleep();
        if (spin_ > Nanoseconds{0}) spin_ += shortest_sleep_;  // a shorter sleep would last longer
        for (auto* agent : agents) take_in(*agent);
        run(stop);
      },
      options.realtime_priority);
}

Runner::~Runner() { stop(); }

void Runner::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

Result<void> Runner::move_to(int cpu) {
  if (auto moved = move_thread(thread_, cpu); !moved) return moved;
  cpu_ = cpu;
  change([this] { begin_again(); });
  return {};
}

void Runner::add(Agent& agent) {
  change([&] { take_in(agent); });
  ++count_;
}

void Runner::remove(Agent& agent) {
  change([&] { let_go(agent); });
  --count_;
}

void Runner::run(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { nudge_.ring(); });
  now_ = Moment::now();
  while (!stop.stop_requested()) {
    turns_.fetch_add(1, std::memory_order_relaxed);
    if (change_wanted_.load(std::memory_order_acquire)) carry_out_change();
    gather();
    step_ready();
    if (!stop.stop_requested()) rest();
  }
  for (auto& stepped : agents_)
    if (stepped.agent != nullptr) stepped.agent->end();
}

// Whoever was rung for, and whose time has come; of whom something can be read was found by poll().
void Runner::gather() {
  sleeper_->answer([this](std::uint32_t place) {
    if (place != nobody && agents_[place].hears) make_ready(place);
  });
  while (!agents_.empty() && due_.earliest() <= now_.local) make_ready(due_.first());
}

void Runner::make_ready(std::uint32_t place) {
  due_.set(place, DueHeap::never);
  if (agents_[place].agent != nullptr && !std::exchange(agents_[place].ready, true)) ready_.push_back(place);
}

void Runner::step_ready() {
  for (const auto place : ready_) step(place);
  ready_.clear();
  if (now_.local - charged_ >= charge_interval) charge();
}

void Runner::step(std::uint32_t place) {
  auto& stepped = agents_[place];
  stepped.ready = false;
  if (stepped.agent == nullptr) return;  // removed since
  stepped.heard = stepped.agent->bell().count();
  const auto began = now_;
  stepped.agent->tell_readable(stepped.readable);
  const auto wait = stepped.agent->step(began);
  now_ = Moment::now();
  due_.set(place, wait.until);
  if (wait.hears_bell != stepped.hears) {
    stepped.hears = wait.hears_bell;
    stepped.agent->bell().mute(!wait.hears_bell);
    // Rings since the step began were not noted.
    if (wait.hears_bell && stepped.agent->bell().count() != stepped.heard) due_.set(place, LocalTime::min());
  }
  const bool waits = wait.until > now_.local;  // who wants to go on at once waits for nothing
  if (waits) watch(place, wait.descriptors);
  stepped.readable = !waits || wait.descriptors.empty();
  if (stepped.stepped_for == Nanoseconds{0}) to_charge_.push_back(place);
  const auto took = std::max(now_.local - began.local, Nanoseconds{1});
  stepped.stepped_for += took;
  stepped_for_ += took;
}

void Runner::watch(std::uint32_t place, std::span<const int> descriptors) {
  auto& watched = agents_[place].watched;
  if (std::ranges::equal(watched, descriptors)) return;
  for (const int descriptor : watched) sleeper_->ignore(descriptor);
  watched.assign(descriptors.begin(), descriptors.end());
  for (const int descriptor : watched) sleeper_->watch(descriptor, place);
}

// Until somebody is due, is rung for or has something to read.
void Runner::rest() {
  const auto until = agents_.empty() ? DueHeap::never : due_.earliest();
  if (now_.local < nap_ends_ && nap(until)) return;
  if (until == DueHeap::never) return poll(std::nullopt);
  if (until <= now_.local) {
    // Others may have something to read although one is always due.
    if (stepping_ > 1 && now_.local - polled_ >= poll_interval) poll(Nanoseconds{0});
    return;
  }
  if (until - now_.local > spin_) {
    poll(until - now_.local - spin_);
    if (until - now_.local > spin_) return;  // woken
  }
  for (; now_.local < until; now_ = Moment::now()) relax_cpu();
}

// True if somebody is due before its end.
bool Runner::nap(LocalTime until) {
  const auto end = std::min(until, nap_ends_);
  if (end > now_.local) std::this_thread::sleep_for(end - now_.local);
  now_ = Moment::now();
  return until < nap_ends_;
}

void Runner::poll(std::optional<Nanoseconds> at_most) {
  const auto readable = sleeper_->sleep(at_most);
  for (const auto place : readable) {
    agents_[place].readable = true;
    make_ready(place);
  }
  now_ = Moment::now();
  polled_ = now_.local;
  if (!readable.empty()) nap_ends_ = now_.local + nap_;
}

// The thread's CPU time since this was last done, shared among those that were stepped by how long their steps took:
// asking the kernel before and after each would cost as much as a short step.
void Runner::charge() {
  charged_ = now_.local;
  const double cpu_s = thread_cpu_seconds();
  const double passed_ns = (cpu_s - std::exchange(charged_cpu_s_, cpu_s)) * 1e9;
  const auto all = static_cast<double>(std::exchange(stepped_for_, Nanoseconds{0}).count());
  for (const auto place : to_charge_) {
    const auto mine = static_cast<double>(std::exchange(agents_[place].stepped_for, Nanoseconds{0}).count());
    if (agents_[place].agent != nullptr)
      agents_[place].agent->charge(Nanoseconds{static_cast<std::int64_t>(passed_ns * mine / all)});
  }
  to_charge_.clear();
}

void Runner::take_in(Agent& agent) {
  auto place = static_cast<std::uint32_t>(std::ranges::find(agents_, nullptr, &Stepped::agent) - agents_.begin());
  if (place == agents_.size()) {
    agents_.emplace_back();
    due_.grow(agents_.size());
    ready_.reserve(agents_.size());
    to_charge_.reserve(agents_.size());
  }
  agents_[place].agent = &agent;
  agents_[place].hears = true;
  ++stepping_;
  agent.begin(shortest_sleep_);
  say_who_is_alone();
  agent.bell().mute(false);
  agent.bell().hang(*sleeper_, place);
  due_.set(place, LocalTime::min());
}

void Runner::let_go(Agent& agent) {
  charge();
  const auto found = std::ranges::find(agents_, &agent, &Stepped::agent);
  if (found == agents_.end()) return;
  const auto place = static_cast<std::uint32_t>(found - agents_.begin());
  watch(place, {});
  due_.set(place, DueHeap::never);
  found->agent = nullptr;
  --stepping_;
  agent.stand_alone(false);
  say_who_is_alone();
}

void Runner::begin_again() {
  for (std::uint32_t place = 0; place < agents_.size(); ++place) {
    if (agents_[place].agent == nullptr) continue;
    agents_[place].agent->begin(shortest_sleep_);
    due_.set(place, LocalTime::min());
  }
}

void Runner::say_who_is_alone() {
  for (const auto& stepped : agents_)
    if (stepped.agent != nullptr) stepped.agent->stand_alone(stepping_ == 1);
}

void Runner::change(std::function<void()> change) {
  std::unique_lock lock(change_mutex_);
  change_ = std::move(change);
  change_wanted_.store(true, std::memory_order_release);
  nudge_.ring();
  changed_.wait(lock, [this] { return !change_wanted_.load(std::memory_order_relaxed); });
}

void Runner::carry_out_change() {
  const std::lock_guard lock(change_mutex_);
  change_();
  change_wanted_.store(false, std::memory_order_relaxed);
  changed_.notify_one();
}

}  // namespace lw
