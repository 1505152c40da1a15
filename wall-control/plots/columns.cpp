#include "wall-control/plots/columns.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace lw {
namespace {

void add(Column& column, double min, double max) {
  column.min = column.any ? std::min(column.min, min) : min;
  column.max = column.any ? std::max(column.max, max) : max;
  column.any = true;
}

}  // namespace

int samples_of(int seconds) {
  constexpr int fine = TimeSeries::samples_max / TimeSeries::samples_per_second;
  return seconds <= fine ? seconds * TimeSeries::samples_per_second : seconds;
}

std::vector<Column> columns_of(const TimeSeries& series, int seconds, int width) {
  std::vector<Column> columns(static_cast<std::size_t>(std::max(1, width)));
  const int samples = samples_of(seconds);
  const bool fine = samples > seconds;
  const int known = std::min(samples, fine ? series.size() : series.seconds());
  for (int age = 0; age < known; ++age) {
    const auto at = static_cast<std::size_t>((samples - 1 - age) * width / samples);
    auto& column = columns[std::min(at, columns.size() - 1)];
    if (fine) {
      if (const auto value = series.back(age)) add(column, *value, *value);
    } else if (const auto second = series.second_back(age)) {
      add(column, second->min, second->max);
    }
  }
  return columns;
}

double greatest_of(const std::vector<Column>& columns) {
  double greatest = 0;
  for (const auto& column : columns) greatest = std::max(greatest, column.any ? column.max : 0);
  return greatest;
}

double nice_above(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (value <= step * power * 1.0001) return step * power;
  return 10 * power;
}

AxisUnit axis_unit(const QuantityInfo& quantity, double top) {
  if (std::string_view(quantity.unit) != "us") return {QString::fromUtf8(quantity.unit), 1};
  if (top < 1000) return {QString::fromUtf8("\u00b5s"), 1};
  if (top < 1'000'000) return {"ms", 1000};
  return {"s", 1'000'000};
}

QString short_number(double value) {
  return value >= 100 ? QString::number(value, 'f', 0) : QString::number(value, 'g', 3);
}

}  // namespace lw
