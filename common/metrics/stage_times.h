// How long the newest frames took for one stage. One thread; no allocation.
#pragma once

#include "common/base/units.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/recent_distribution.h"

namespace lw {

class StageTimes {
public:
  // By one clock. Nothing where one of the times was not taken, or the clock was set back between them.
  void add(WallTime from, WallTime to) {
    if (from != WallTime{} && to >= from) times_us_.add(static_cast<double>((to - from).count()) / 1000);
  }
  void clear() { times_us_.clear(); }
  // Costs two sorts.
  [[nodiscard]] StageQuantiles quantiles() const { return {times_us_.quantile(0.5), times_us_.quantile(0.99)}; }

private:
  RecentDistribution<256> times_us_;
};

}  // namespace lw
