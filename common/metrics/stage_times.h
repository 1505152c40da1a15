// How long the newest frames took for one stage, beside the histogram of all. One thread; no allocation.
#pragma once

#include "common/base/units.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/recent_distribution.h"
#include "common/metrics/time_histogram.h"

namespace lw {

class StageTimes {
public:
  // Times by one clock; `all`: the histogram of the stage. Ignored if one of them was not taken, or the clock was set
  // back between them.
  void add(WallTime from, WallTime to, TimeHistogram& all) {
    if (from == WallTime{} || to < from) return;
    times_us_.add(static_cast<double>((to - from).count()) / 1000);
    all.add(to - from);
  }
  void clear() { times_us_.clear(); }
  // Costs a partial sort.
  [[nodiscard]] StageQuantiles quantiles() const {
    const auto [p50, p99] = times_us_.quantiles(std::array{0.5, 0.99});
    return {p50, p99};
  }

private:
  RecentDistribution<256> times_us_;
};

}  // namespace lw
