#include "probe/loads/frame_statistics.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

double microseconds(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

}  // namespace

double quantile_of(std::vector<double> values, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, values.size()) - 1);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

void FrameStatistics::add(const FrameArrival& frame) {
  jitter_.add(frame.arrival, frame.media_time);
  if (const auto jitter = jitter_.microseconds()) {
    ++jitters_;
    jitter_sum_us_ += *jitter;
    jitter_max_us_ = std::max(jitter_max_us_, *jitter);
  }
  delays_us_.add(microseconds(frame.arrival - frame.media_time));
  if (before_) intervals_us_.add(microseconds(frame.arrival - *before_));
  before_ = frame.arrival;
}

FlowFigures FrameStatistics::figures() const {
  FlowFigures figures{{"frames", static_cast<double>(delays_us_.count())}};
  if (jitters_ > 0) {
    figures["jitter_us"] = *jitter_.microseconds();
    figures["jitter_us_mean"] = jitter_sum_us_ / static_cast<double>(jitters_);
    figures["jitter_us_max"] = jitter_max_us_;
  }
  if (!delays_us_.empty()) {
    const double least = delays_us_.min();
    figures["delay_us_min"] = least;
    figures["delay_us_p50"] = quantile_of(delays_us_.kept(), 0.5);
    figures["pdv_us_p50"] = figures["delay_us_p50"] - least;
    figures["pdv_us_p99"] = quantile_of(delays_us_.kept(), 0.99) - least;
    figures["pdv_us_max"] = delays_us_.max() - least;
  }
  if (!intervals_us_.empty()) {
    figures["frame_interval_us_min"] = intervals_us_.min();
    figures["frame_interval_us_mean"] = intervals_us_.mean();
    figures["frame_interval_us_max"] = intervals_us_.max();
  }
  return figures;
}

}  // namespace lw
