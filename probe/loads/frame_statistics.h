// Jitter and delay variation over a complete measurement, for the first packets of a flow's frames. Keeps individual
// delays (Sample), so that quantiles cover the measurement and are not averages of averages.
#pragma once

#include "common/metrics/jitter.h"
#include "probe/loads/clock_drift.h"
#include "probe/loads/load_end.h"
#include "probe/loads/value_sample.h"
#include "wall-client/receive/arrival_recorder.h"

#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace lw {

class FrameStatistics {
public:
  void add(const FrameArrival& frame);
  // jitter_us, _mean, _max (RFC 3550 section 6.4.1); pdv_us_p50, _p99, _max (RFC 5481); frame_interval_us_*, of frames
  // with consecutive ticks only: the time across a frame whose first packet was lost is loss, not an interval;
  // delay_us_min and _p50: arrival minus scheduled departure, including the difference of the hosts' clocks;
  // clock_drift_ppm and driftless_pdv_us_*: for hosts with separate clocks. Absent if there is no drift.
  [[nodiscard]] FlowFigures figures() const;
  void clear() { *this = FrameStatistics{}; }

private:
  void add_intervals(const FrameArrival& frame);
  void add_driftless(FlowFigures& figures) const;

  InterarrivalJitter jitter_;
  double jitter_sum_us_ = 0, jitter_max_us_ = 0;
  std::size_t jitters_ = 0;
  Sample<DelayAt> delays_;
  double delay_us_min_ = std::numeric_limits<double>::infinity();
  double delay_us_max_ = -std::numeric_limits<double>::infinity();
  ValueSample intervals_us_;
  std::optional<WallTime> first_;
  // The newest frames, by their ticks modulo this number: a frame may overtake others.
  std::array<std::optional<FrameArrival>, 16> newest_;
};

// Nearest rank. `values` must not be empty and need not be sorted.
double quantile_of(std::vector<double> values, double fraction);

}  // namespace lw
