#include "tests/truth/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace lw::truth {

double microseconds(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> newest(const std::vector<double>& values, std::size_t count) {
  return {values.end() - static_cast<std::ptrdiff_t>(std::min(values.size(), count)), values.end()};
}

void Table::time(const std::string& name, double truth_us, std::optional<double> measured_us, double allowed_us,
                 const std::string& unit) {
  if (std::isnan(truth_us) && !measured_us) return;
  figures.push_back({name, truth_us, measured_us.value_or(std::numeric_limits<double>::quiet_NaN()), allowed_us, unit});
}

void Table::histogram(const std::string& name, const TimeScale& scale, const std::vector<double>& times_us,
                      const TimeHistogram::Reading& reading) {
  std::array<std::uint64_t, TimeScale::size + 1> counts{};
  for (const double time : times_us) {
    std::size_t bucket = 0;
    while (bucket < scale.bounds.size() && time > microseconds(scale.bounds[bucket])) ++bucket;
    ++counts[bucket];
  }
  double right = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    right += std::min(static_cast<double>(counts[i]),
                      2 * static_cast<double>(counts[i]) - static_cast<double>(reading.counts[i]));
  count(name + "_bucket", static_cast<double>(times_us.size()), right);
  time(name + "_sum", std::accumulate(times_us.begin(), times_us.end(), 0.0),
       static_cast<double>(reading.sum_ns) / 1000, time_error_us * static_cast<double>(times_us.size() + 1));
}

}  // namespace lw::truth
