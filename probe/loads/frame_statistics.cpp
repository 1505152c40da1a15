#include "probe/loads/frame_statistics.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

double microseconds(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

// Delays minus their minimum: RFC 5481 section 4.2.
void put_delay_variation(FlowFigures& figures, const std::string& name, const std::vector<double>& delays_us,
                         double least, double most) {
  figures[name + "_p50"] = quantile_of(delays_us, 0.5) - least;
  figures[name + "_p99"] = quantile_of(delays_us, 0.99) - least;
  figures[name + "_max"] = most - least;
}

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
  if (!first_) first_ = frame.arrival;
  const double delay_us = microseconds(frame.arrival - frame.media_time);
  delays_.add({microseconds(frame.arrival - *first_) * 1e-6, delay_us});
  delay_us_min_ = std::min(delay_us_min_, delay_us);
  delay_us_max_ = std::max(delay_us_max_, delay_us);
  add_intervals(frame);
}

// To the previous frame and, if that overtook this one, to the next.
void FrameStatistics::add_intervals(const FrameArrival& frame) {
  if (!frame.tick) return;
  const auto arrival_of = [&](std::uint16_t tick) -> std::optional<WallTime> {
    const auto& known = newest_[tick % newest_.size()];
    return known && known->tick == tick ? std::optional(known->arrival) : std::nullopt;
  };
  if (const auto before = arrival_of(static_cast<std::uint16_t>(*frame.tick - 1)))
    intervals_us_.add(microseconds(frame.arrival - *before));
  if (const auto after = arrival_of(static_cast<std::uint16_t>(*frame.tick + 1)))
    intervals_us_.add(microseconds(*after - frame.arrival));
  newest_[*frame.tick % newest_.size()] = frame;
}

FlowFigures FrameStatistics::figures() const {
  FlowFigures figures{{"frames", static_cast<double>(delays_.count())}};
  if (jitters_ > 0) {
    figures["jitter_us"] = *jitter_.microseconds();
    figures["jitter_us_mean"] = jitter_sum_us_ / static_cast<double>(jitters_);
    figures["jitter_us_max"] = jitter_max_us_;
  }
  if (delays_.count() > 0) {
    std::vector<double> delays_us;
    for (const auto& delay : delays_.kept()) delays_us.push_back(delay.delay_us);
    figures["delay_us_min"] = delay_us_min_;
    figures["delay_us_p50"] = quantile_of(delays_us, 0.5);
    put_delay_variation(figures, "pdv_us", delays_us, delay_us_min_, delay_us_max_);
    add_driftless(figures);
  }
  if (!intervals_us_.empty()) {
    figures["frame_interval_us_min"] = intervals_us_.min();
    figures["frame_interval_us_mean"] = intervals_us_.mean();
    figures["frame_interval_us_max"] = intervals_us_.max();
  }
  return figures;
}

void FrameStatistics::add_driftless(FlowFigures& figures) const {
  const auto line = drift_line(delays_.kept());
  if (!line || std::abs(line->ppm) > clock_drift_ppm_max) return;
  figures["clock_drift_ppm"] = line->ppm;
  std::vector<double> above_us;
  for (const auto& delay : delays_.kept()) above_us.push_back(line->above_us(delay));
  const auto [least, most] = std::ranges::minmax(above_us);
  put_delay_variation(figures, "driftless_pdv_us", above_us, least, most);
}

}  // namespace lw
