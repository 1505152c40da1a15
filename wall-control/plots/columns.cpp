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

SampleSpan last_seconds(int seconds) { return {0, seconds * TimeSeries::samples_per_second}; }

int samples_of(const SampleSpan& span) {
  return TimeSeries::kept_whole(span) ? span.count : std::max(1, span.count / TimeSeries::samples_per_second);
}

std::vector<Column> columns_of(const TimeSeries& series, const SampleSpan& span, int width) {
  std::vector<Column> columns(static_cast<std::size_t>(std::max(1, width)));
  const bool fine = TimeSeries::kept_whole(span);
  const int samples = samples_of(span);
  const int newer = fine ? span.newer : span.newer / TimeSeries::samples_per_second;
  const int known = std::min(samples, (fine ? series.size() : series.seconds()) - newer);
  for (int age = std::max(0, -newer); age < known; ++age) {
    const auto at = static_cast<std::size_t>(static_cast<qint64>(samples - 1 - age) * width / samples);
    auto& column = columns[std::min(at, columns.size() - 1)];
    if (fine) {
      if (const auto value = series.back(newer + age)) add(column, *value, *value);
    } else if (const auto second = series.second_back(newer + age)) {
      add(column, second->min, second->max);
    }
  }
  return columns;
}

double greatest_of(std::span<const Column> columns) { return worst_of(columns, false).value_or(0); }

std::optional<double> worst_of(std::span<const Column> columns, bool low_is_bad) {
  std::optional<double> worst;
  for (const auto& column : columns) {
    if (!column.any) continue;
    const double value = low_is_bad ? column.min : column.max;
    worst = !worst ? value : low_is_bad ? std::min(*worst, value) : std::max(*worst, value);
  }
  return worst;
}

double nice_above(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (value <= step * power * 1.0001) return step * power;
  return 10 * power;
}

QString with_unit(const QuantityInfo& quantity, double value) {
  const auto unit = axis_unit(quantity, value);
  return short_number(value / unit.size) + ' ' + unit.name;
}

AxisUnit axis_unit(const QuantityInfo& quantity, double top) {
  if (std::string_view(quantity.unit) != "us") return {QString::fromUtf8(quantity.unit), 1};
  if (top < 1000) return {QString::fromUtf8("\u00b5s"), 1};
  if (top < 1'000'000) return {"ms", 1000};
  return {"s", 1'000'000};
}

QString short_number(double value) {
  if (std::abs(value) < 100) return QString::number(value, 'g', 3);
  auto digits = QString::number(value, 'f', 0);
  const qsizetype first = digits.startsWith('-') ? 1 : 0;
  if (digits.size() - first > 4)
    for (qsizetype at = digits.size() - 3; at > first; at -= 3) digits.insert(at, QChar(0x2009));  // a thin space
  return digits;
}

}  // namespace lw
