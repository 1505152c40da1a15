#include "tests/simulate/time_laws.h"

#include "common/clock/offset_estimator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

// A thread needs up to 3 ms to wake up (host.h), and a presenter draws its other tiles before.
constexpr Nanoseconds presenter_takes = 4500us;
// A node publishes its bound a few times per frame, and meanwhile its clock is slewed and drifts.
constexpr Nanoseconds bound_ages = 30us;

// After a clock drifted more than nodes assume, its error exceeds the bound until the next exchanges.
constexpr Nanoseconds settles_within = 6s;

double ms(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

bool may_drift_as(const Host& a, const Host& b) {
  return std::abs(a.clocks.oscillator() - b.clocks.oscillator()) < 0.95 * OffsetEstimator::drift_max;
}

}  // namespace

void TimeLaws::check_clocks(const Server& server, const Nodes& nodes, WallTime now) {
  for (const auto& node : nodes)
    if (!may_drift_as(server.host, node->host)) settled_[node.get()] = now + settles_within;
  if (!server.runs() || server.process() != server_process_) return;
  for (const auto& node : nodes) {
    // Its first flow keeps the clock.
    if (!node->runs() || node->host.holds(0) || now < settled_[node.get()]) continue;
    const auto clock = node->clock_stats();
    if (!clock || clock->state == ClockState::waiting) continue;
    const auto apart = std::chrono::abs(node->host.now().wall - server.host.now().wall);
    if (apart > clock->error.value_or(0ns) + bound_ages)
      on_break_(fmt::format("the clock of {} is {:.3f} ms off, and reports at most {:.3f} ms", node->name(), ms(apart),
                            ms(clock->error.value_or(0ns))));
  }
}

void TimeLaws::begin(const Nodes& nodes) const {
  for (const auto& node : nodes) node->presenter().take_swaps();
}

Nanoseconds TimeLaws::most(const Node& node) const {
  return presenter_takes + refresh_ * static_cast<std::int64_t>(1 + node.display().missed());
}

void TimeLaws::judge(const Nodes& nodes, const std::string& circumstances) const {
  for (const auto& node : nodes) check_lateness(*node, circumstances);
  check_skew(nodes, circumstances);
}

void TimeLaws::check_lateness(Node& node, const std::string& circumstances) const {
  for (const auto& swaps : node.presenter().take_swaps())
    for (const auto& swap : swaps)
      if (swap.lateness < 0ns || swap.lateness > most(node))
        return on_break_(fmt::format("{} swaps a frame {:.3f} ms after its presentation time {}", node.name(),
                                     ms(swap.lateness), circumstances));
}

void TimeLaws::check_skew(const Nodes& nodes, const std::string& circumstances) const {
  struct Spread {
    WallTime first = WallTime::max(), last = WallTime::min();
    TileIndex first_tile, last_tile;

    void add(WallTime time, TileIndex tile) {
      if (time < first) first_tile = tile;
      if (time > last) last_tile = tile;
      first = std::min(first, time);
      last = std::max(last, time);
    }
  };
  std::map<WallTime, Spread> frames;
  Spread clocks;
  Nanoseconds allowed{0};
  for (const auto& node : nodes) {
    allowed = std::max(allowed, most(*node));
    clocks.add(node->host.now().wall, {});
    for (const auto& [tile, media_times] : node->display().times()) {
      const auto& shown = node->display().screen_times().at(tile);
      for (std::size_t i = 0; i < media_times.size(); ++i) frames[media_times[i]].add(shown[i], tile);
    }
  }
  allowed += clocks.last - clocks.first;
  for (const auto& [media_time, spread] : frames)
    if (spread.last - spread.first > allowed)
      return on_break_(
          fmt::format("a frame appears on tile {} {:.3f} ms after its media time, and on tile {} {:.3f} ms, which is "
                      "more than {:.3f} ms apart, {}",
                      spread.first_tile.value, ms(spread.first - media_time), spread.last_tile.value,
                      ms(spread.last - media_time), ms(allowed), circumstances));
}

}  // namespace lw::simulate
