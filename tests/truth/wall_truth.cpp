#include "tests/truth/wall_truth.h"

#include "server/control/skew_watch.h"
#include "tests/support/network.h"

#include <algorithm>

namespace lw::truth {
namespace {

using namespace std::chrono_literals;

constexpr unsigned frames = 400;
constexpr std::int64_t interval_us = 20'000;
constexpr std::size_t newest_frames = 256;

// When a tile showed a frame, after its presentation time.
struct Shown {
  std::int64_t lateness_ns = 0;  // by a clock without error
  bool shown = true;
};

}  // namespace

std::vector<SkewCase> skew_cases(std::uint64_t seed) {
  std::vector<SkewCase> cases{
      {.name = "wall of 2 tiles, right clocks", .tiles = 2},
      {.name = "wall of 12 tiles, clocks true to 20 us", .tiles = 12, .clock_error = 20us},
      {.name = "wall of 12 tiles, clocks true to 1 ms, 1 % not shown",
       .tiles = 12,
       .clock_error = 1ms,
       .not_shown_per_mille = 10},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = seed * 1000 + 600 + i;
  return cases;
}

std::vector<Figure> figures_of(const SkewCase& chosen) {
  Random random(chosen.seed);
  const auto drawn = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(below)));
  };
  std::vector<std::int64_t> off_ns(chosen.tiles);
  if (chosen.clock_error > Nanoseconds{0})
    for (auto& off : off_ns) off = drawn(2 * chosen.clock_error.count()) - chosen.clock_error.count();
  // Any two clocks differ by the sum of both bounds at most.
  const double bound_us = 2 * microseconds(chosen.clock_error);
  SkewWatch watch(chosen.tiles);
  std::vector<double> skews_us;
  std::vector<double> behind_us;  // the first tile, of the newest frame that all tiles showed
  for (unsigned frame = 0; frame < frames; ++frame) {
    std::vector<Shown> swaps(chosen.tiles);
    for (auto& swap : swaps) {
      swap.lateness_ns = drawn(4'000'000);
      swap.shown = random.below(1000) >= chosen.not_shown_per_mille;
    }
    for (unsigned tile = 0; tile < chosen.tiles; ++tile)
      if (swaps[tile].shown)
        watch.add({tile}, 1'800'000'000'000'000 + frame * interval_us,
                  static_cast<double>(swaps[tile].lateness_ns + off_ns[tile]) / 1000, bound_us);
    if (!std::ranges::all_of(swaps, &Shown::shown)) continue;
    const auto [first, last] = std::ranges::minmax(swaps, {}, &Shown::lateness_ns);
    skews_us.push_back(microseconds(Nanoseconds{last.lateness_ns - first.lateness_ns}));
    behind_us.clear();
    for (const auto& swap : swaps) behind_us.push_back(microseconds(Nanoseconds{swap.lateness_ns - first.lateness_ns}));
  }
  Table table;
  table.count("frames_in_step", static_cast<double>(skews_us.size()), static_cast<double>(watch.frames()));
  const auto near = newest(skews_us, newest_frames);
  const double allowed_us = bound_us + time_error_us;
  table.time("skew_us_p50", quantile(near, 0.5), watch.skew_us().quantile(0.5), allowed_us);
  table.time("skew_us_p99", quantile(near, 0.99), watch.skew_us().quantile(0.99), allowed_us);
  table.time("skew_us_max", quantile(near, 1), watch.skew_us().max(), allowed_us);
  table.time("skew_error_us", bound_us, watch.error_us());
  for (unsigned tile = 0; tile < chosen.tiles; ++tile)
    table.time("skew_us (tile)", behind_us[tile], watch.by_tile_us()[tile], allowed_us);
  if (chosen.clock_error == Nanoseconds{0})
    table.histogram("wall_skew_seconds", differences, skews_us, read_histograms(watch.histograms())[0]);
  return std::move(table.figures);
}

}  // namespace lw::truth
