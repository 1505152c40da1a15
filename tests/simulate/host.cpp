#include "tests/simulate/host.h"

#include <algorithm>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

class ClockOfHost final : public HostClock {
public:
  explicit ClockOfHost(const Host& host) : host_(host) {}
  [[nodiscard]] Moment now() const override { return host_.now(); }
  [[nodiscard]] bool wall_clock_known() const override { return host_.clocks.kept().known(); }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return host_.clocks.kept().steps(); }
  [[nodiscard]] double thread_cpu_seconds() const override { return 0; }

private:
  const Host& host_;
};

constexpr WallTime never = WallTime::max();
constexpr int first_descriptor = 1 << 24;  // beyond all of the kernel's

}  // namespace

std::unique_ptr<HostClock> Host::clock() const { return std::make_unique<ClockOfHost>(*this); }

std::size_t Host::add(Agent& agent) {
  agents_.push_back({.agent = &agent, .wait = {}, .next = never});
  agent.bell().hang(board_, static_cast<std::uint32_t>(agents_.size() - 1));
  agent.begin(50us);
  plan(agents_.size() - 1, timeline_.now().wall);
  return agents_.size() - 1;
}

void Host::clear() {
  board_.answer([](std::uint32_t) {});  // before the bells go
  agents_.clear();
  for (auto& opened : opened_) opened.waits.reset();
  frozen_ = false;
}

// A thread needs some microseconds to wake up, and now and then much longer.
void Host::wake(std::size_t agent) {
  if (agent >= agents_.size()) return;
  const auto late = std::chrono::microseconds{random_.once_in(500) ? random_.below(3000) : 5 + random_.below(40)};
  plan(agent, timeline_.now().wall + late);
}

int Host::open(const Readable& what) {
  auto place = std::ranges::find(opened_, nullptr, &Opened::what);
  if (place == opened_.end()) place = opened_.insert(place, Opened{});
  *place = {&what, {}};
  return first_descriptor + static_cast<int>(place - opened_.begin());
}

Host::Opened* Host::find(int descriptor) {
  const auto place = static_cast<std::size_t>(descriptor - first_descriptor);
  return descriptor >= first_descriptor && place < opened_.size() ? &opened_[place] : nullptr;
}

void Host::close(int descriptor) {
  if (auto* opened = find(descriptor)) *opened = {};
}

void Host::arrived(int descriptor) {
  if (const auto* opened = find(descriptor); opened != nullptr && opened->waits) wake(*opened->waits);
}

// Like poll(2): data that can already be read also wakes it.
void Host::wait_for(std::size_t agent) {
  for (const int descriptor : agents_[agent].wait.descriptors) {
    auto* opened = find(descriptor);
    if (opened == nullptr) continue;
    opened->waits = agent;
    if (opened->what->is_readable()) wake(agent);
  }
}

void Host::hear_bells() {
  board_.answer([this](std::uint32_t agent) {
    if (agents_[agent].wait.hears_bell) wake(agent);
  });
}

void Host::freeze(bool frozen) {
  frozen_ = frozen;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (frozen)
      agents_[i].ran = false;
    else
      wake(i);
  }
}

void Host::delay_thread(std::size_t agent, bool delayed) {
  if (agent >= agents_.size()) return;
  agents_[agent].delayed = delayed;
  if (delayed)
    agents_[agent].ran = false;
  else
    wake(agent);
}

void Host::resume_threads() {
  for (std::size_t i = 0; i < agents_.size(); ++i)
    if (agents_[i].delayed) delay_thread(i, false);
}

// The earliest request counts.
void Host::plan(std::size_t agent, WallTime at) {
  auto& stepped = agents_[agent];
  at = std::max(at, stepped.busy_until);
  if (stepped.next <= at) return;
  stepped.next = at;
  stepped.number = ++planned_;
  timeline_.at(at, [this, agent, number = stepped.number] { step(agent, number); });
}

void Host::step(std::size_t agent, std::uint64_t number) {
  if (agent >= agents_.size() || agents_[agent].number != number) return;
  agents_[agent].next = never;
  if (frozen_ || agents_[agent].delayed) return;
  ++steps_;
  agents_[agent].ran = true;
  busy_ = {};
  for (const int descriptor : agents_[agent].wait.descriptors)
    if (auto* opened = find(descriptor)) opened->waits.reset();
  agents_[agent].heard = agents_[agent].agent->bell().count();
  const auto wait = agents_[agent].agent->step(now());
  if (after_step) after_step(agent);
  if (agent >= agents_.size()) return;
  agents_[agent].wait = wait;
  // Rings while it did not listen.
  if (wait.hears_bell && agents_[agent].agent->bell().count() != agents_[agent].heard) wake(agent);
  hear_bells();
  agents_[agent].busy_until = timeline_.now().wall + std::exchange(busy_, Nanoseconds{0});
  wait_for(agent);
  if (wait.until == LocalTime::max()) return;
  // Nothing is instantaneous: an agent that wants to continue at once lets others run in between.
  const auto rest = std::max<Nanoseconds>(wait.until - now().local + 1ns, 1us);
  plan(agent, timeline_.now().wall + clocks.on_timeline(rest));
}

}  // namespace lw::simulate
