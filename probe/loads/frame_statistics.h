// Jitter and delay variation over a whole measurement, of the first packets of a flow's frames. Delays are kept one by
// one (ValueSample), so that the quantiles are of the measurement, and not averages of averages.
#pragma once

#include "common/metrics/jitter.h"
#include "probe/loads/load_end.h"
#include "probe/loads/value_sample.h"
#include "wall-client/receive/arrival_recorder.h"

#include <optional>
#include <vector>

namespace lw {

class FrameStatistics {
public:
  void add(const FrameArrival& frame);
  // jitter_us, _mean, _max (RFC 3550 section 6.4.1); pdv_us_p50, _p99, _max (RFC 5481); frame_interval_us_*;
  // delay_us_min and _p50, which are one-way delays only where both hosts have one clock.
  [[nodiscard]] FlowFigures figures() const;
  void clear() { *this = FrameStatistics{}; }

private:
  InterarrivalJitter jitter_;
  double jitter_sum_us_ = 0, jitter_max_us_ = 0;
  std::size_t jitters_ = 0;
  ValueSample delays_us_;
  ValueSample intervals_us_;
  std::optional<WallTime> before_;
};

// Nearest rank of values, which need not be sorted and are not empty.
double quantile_of(std::vector<double> values, double fraction);

}  // namespace lw
