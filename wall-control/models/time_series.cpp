#include "wall-control/models/time_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lw {

void TimeSeries::add(std::optional<double> value) {
  if (ring_.empty()) {
    if (!value) return;
    ring_.resize(samples_max);
    seconds_.resize(seconds_max);
  }
  ring_[next_] = value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
  next_ = (next_ + 1) % samples_max;
  count_ = std::min<std::size_t>(count_ + 1, samples_max);
  if (next_ % samples_per_second == 0) end_second();
}

void TimeSeries::end_second() {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  Second second{none, none};
  for (int age = 0; age < samples_per_second; ++age) {
    const auto value = back(age);
    if (!value) continue;
    second.min = std::fmin(second.min, static_cast<float>(*value));  // fmin ignores not-a-number
    second.max = std::fmax(second.max, static_cast<float>(*value));
  }
  seconds_[next_second_] = second;
  next_second_ = (next_second_ + 1) % seconds_max;
  second_count_ = std::min<std::size_t>(second_count_ + 1, seconds_max);
}

std::optional<double> TimeSeries::back(int age) const {
  if (age < 0 || age >= size()) return std::nullopt;
  const auto value = ring_[(next_ + 2 * samples_max - 1 - static_cast<std::size_t>(age)) % samples_max];
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

std::optional<TimeSeries::Second> TimeSeries::second_back(int age) const {
  if (age < 0 || age >= seconds()) return std::nullopt;
  const auto second = seconds_[(next_second_ + 2 * seconds_max - 1 - static_cast<std::size_t>(age)) % seconds_max];
  return std::isnan(second.min) ? std::nullopt : std::optional(second);
}

void SeriesSet::add(const QuantityValues& values, double interval_s) {
  for (const auto& quantity : quantities()) {
    if (quantity.scope != scope_) continue;
    const auto index = static_cast<std::size_t>(quantity.quantity);
    const auto value = values[index];
    if (!quantity.per_second) {
      series_[index].add(value);
      continue;
    }
    const auto before = std::exchange(counted_[index], value);
    const bool grew = value && before && *value >= *before && interval_s > 0;
    series_[index].add(grew ? std::optional((*value - *before) / interval_s) : std::nullopt);
  }
}

void SeriesSet::add_gap() { add({}, 0); }

}  // namespace lw
