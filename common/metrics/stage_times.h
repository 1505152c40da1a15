// How long the newest frames took for one stage. One thread; no allocation.
#pragma once

#include "common/base/units.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/recent_distribution.h"

namespace lw {

class StageTimes {
public:
  // Times by one clock. Ignored if one of them was not taken, or the clock was set back between them.
  void add(WallTime from, WallTime to) {
    if (from != WallTime{} && to >= from) times_us_.add(static_cast<double>((to - from).count()) / 1000);
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
