#include "common/clock/offset_estimator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lw {
namespace {

// Error of reading two clocks one after the other.
constexpr std::chrono::microseconds reading_error{5};
// The expected drift until the window is long enough to measure it.
constexpr double drift_expected_ns_per_s = 50e3;
// The error of an exchange's middle even without any queueing.
constexpr double least_noise_ns = 20e3;

Nanoseconds offset_between(WallTime wall, RawTime raw) { return wall.time_since_epoch() - raw.time_since_epoch(); }

Nanoseconds drifted(Nanoseconds time) {
  return Nanoseconds{
      static_cast<std::int64_t>(std::abs(static_cast<double>(time.count())) * OffsetEstimator::drift_max)};
}

}  // namespace

OffsetEstimator::Verdict OffsetEstimator::add(const ClockExchange& exchange) {
  const auto least = offset_between(exchange.reply_left, exchange.answered) - reading_error;
  const auto most = offset_between(exchange.request_came, exchange.asked) + reading_error;
  if (exchange.answered < exchange.asked || least > most) return Verdict::impossible;
  // Within the exchange, both ends are at most half of it away from its middle.
  const auto half = (exchange.answered - exchange.asked) / 2;
  const Entry entry{exchange.asked + half, least - drifted(half), most + drifted(half)};

  auto verdict = Verdict::taken;
  if (!entries_.empty()) {
    const auto known = bounds_at(entry.at);
    if (entry.least > known.most || entry.most < known.least) {
      entries_.clear();
      verdict = Verdict::contradicts;
    }
  }
  while (!entries_.empty() && entry.at - entries_.front().at > window) entries_.pop_front();
  entries_.push_back(entry);
  fit();
  return verdict;
}

OffsetEstimator::Bounds OffsetEstimator::bounds_at(RawTime now) const {
  Bounds bounds{Nanoseconds::min(), Nanoseconds::max()};
  for (const auto& entry : entries_) {
    const auto drift = drifted(now - entry.at);
    bounds.least = std::max(bounds.least, entry.least - drift);
    bounds.most = std::min(bounds.most, entry.most + drift);
  }
  return bounds;
}

// Weighted least squares for offset and drift; the expected drift counts as one more observation, so that a short
// window does not yield an arbitrary one.
void OffsetEstimator::fit() {
  fitted_at_ = entries_.back().at;
  round_trip_min_ = Nanoseconds::max();
  double round_trips = 0;
  for (const auto& entry : entries_) {
    round_trip_min_ = std::min(round_trip_min_, entry.most - entry.least);
    round_trips += static_cast<double>((entry.most - entry.least).count());
  }
  // If all round trips vary, it is chance that the shortest had no queueing.
  const double excess_mean =
      round_trips / static_cast<double>(entries_.size()) - static_cast<double>(round_trip_min_.count());
  const double noise = least_noise_ns + excess_mean / 32;

  const auto base = entries_.back().least;  // so that doubles represent the rest exactly
  double w = 0, wx = 0, wxx = 1 / (drift_expected_ns_per_s * drift_expected_ns_per_s), wy = 0, wxy = 0;
  for (const auto& entry : entries_) {
    const double x = std::chrono::duration<double>(entry.at - fitted_at_).count();
    const double y = static_cast<double>((entry.least + (entry.most - entry.least) / 2 - base).count());
    const double error = noise + static_cast<double>((entry.most - entry.least - round_trip_min_).count()) / 2;
    const double weight = 1 / (error * error);
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  offset_ = base + Nanoseconds{std::llround((wy - slope * wx) / w)};
  drift_ = std::clamp(slope * 1e-9, -drift_max, drift_max);
}

std::optional<OffsetEstimate> OffsetEstimator::at(RawTime now) const {
  if (entries_.empty()) return std::nullopt;
  const auto bounds = bounds_at(now);
  const auto since = static_cast<double>((now - fitted_at_).count());
  const auto guess = offset_ + Nanoseconds{std::llround(since * drift_)};
  return OffsetEstimate{std::clamp(guess, bounds.least, std::max(bounds.least, bounds.most)), bounds.least, bounds.most,
                        drift_};
}

}  // namespace lw
