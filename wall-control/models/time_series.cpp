#include "wall-control/models/time_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lw {

void TimeSeries::add(std::optional<double> value) {
  if (ring_.empty()) ring_.resize(samples_max);
  ring_[next_] = value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
  next_ = (next_ + 1) % samples_max;
  count_ = std::min<std::size_t>(count_ + 1, samples_max);
}

std::optional<double> TimeSeries::back(int age) const {
  if (age < 0 || age >= size()) return std::nullopt;
  const auto value = ring_[(next_ + 2 * samples_max - 1 - static_cast<std::size_t>(age)) % samples_max];
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

void SeriesSet::add(const QJsonObject& figures, double interval_s) {
  for (const auto& quantity : quantities()) {
    if (quantity.scope != scope_) continue;
    const auto index = static_cast<std::size_t>(quantity.quantity);
    const auto json = figures[quantity.key];
    const auto value = json.isDouble() ? std::optional(json.toDouble()) : std::nullopt;
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
