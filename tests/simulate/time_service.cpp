#include "tests/simulate/time_service.h"

#include <algorithm>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds serve_interval = 1s;
constexpr Nanoseconds corrected_within = 2s;
constexpr double slew_most = 100e-6;

// Up to this share, in either direction.
double draw_rate(Random& random, double most) { return most * (static_cast<double>(random.below(2001)) / 1000 - 1); }

}  // namespace

TimeService::TimeService(const Wall& wall, Timeline& timeline, Random& random, std::vector<Host*> hosts)
    : keeps_(wall.clock == ClockSource::system), timeline_(timeline), random_(random) {
  for (auto* host : hosts) {
    // Specified to within 50 ppm; some computers are worse.
    host->clocks.set_oscillator(draw_rate(random_, random_.once_in(8) ? 100e-6 : 50e-6));
    auto& kept = hosts_.emplace_back(Kept{host});
    if (!keeps_) kept.usual_error = std::chrono::milliseconds{random_.below(200'000)} - 100s;
    heal(kept);
  }
}

void TimeService::look() {
  if (!keeps_) return;
  for (auto& one : hosts_)
    if (!one.left_alone && timeline_.now().wall >= one.next && !one.host->is_busy()) serve(one);
}

// Slews it towards the right time, as far as the service knows that.
void TimeService::serve(Kept& one) {
  one.next = timeline_.now().wall + serve_interval;
  const auto seen = one.host->clocks.system_error() + std::chrono::microseconds{random_.below(41)} - 20us;
  const auto rate = -static_cast<double>(seen.count()) / static_cast<double>(corrected_within.count());
  one.host->clocks.set_rate(std::clamp(rate + draw_rate(random_, 20e-6), -slew_most, slew_most));
}

void TimeService::begin(const Happening& one, Random& chance) {
  auto& node = hosts_[one.where + 1];
  switch (one.fault) {
    case Fault::clock_off:
      // If nobody keeps the clocks, the server's may be set as well.
      (keeps_ || chance.once_in(2) ? node : hosts_.front())
          .host->clocks.step_system(std::chrono::microseconds{chance.between(0, 8000)} - 4ms);
      break;
    case Fault::clock_drifts:
      node.left_alone = true;
      node.host->clocks.set_rate(draw_rate(chance, 500e-6));
      break;
    case Fault::clock_set: {
      const auto by = chance.once_in(2) ? 1h : Nanoseconds{-3s};
      const bool all = chance.once_in(2);
      for (std::size_t i = 0; i < (all ? hosts_.size() : 1); ++i) hosts_[i].host->clocks.step_system(by);
      break;
    }
    default:
      break;
  }
}

void TimeService::end(const Happening& one) {
  if (one.fault == Fault::clock_set) return heal();
  heal(hosts_[one.where + 1]);
  if (!keeps_) heal(hosts_.front());
}

void TimeService::heal() {
  for (auto& one : hosts_) heal(one);
}

void TimeService::heal(Kept& one) {
  auto& clocks = one.host->clocks;
  one.left_alone = false;
  clocks.step_system(one.usual_error - clocks.system_error());
  if (keeps_)
    serve(one);
  else
    clocks.set_rate(clocks.oscillator());
}

void TimeService::set_all() {
  for (auto& one : hosts_)
    one.host->clocks.step_system(random_.once_in(2) ? std::chrono::seconds{random_.between(1, 4000)}
                                                    : -std::chrono::milliseconds{random_.between(1, 4000)});
}

}  // namespace lw::simulate
