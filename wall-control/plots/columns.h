// Converts samples to pixels: the content of each column of a plot, and the labels of its axis. No spike vanishes: a
// column keeps its least and greatest sample. Gaps remain gaps.
#pragma once

#include "wall-control/models/time_series.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace lw {

struct Column {
  double min = 0, max = 0;
  bool any = false;
};

// The samples of the last seconds.
SampleSpan last_seconds(int seconds);
// The number of samples of a span: ten a second, or one where only seconds are kept.
int samples_of(const SampleSpan& span);
// That part of a series, with its last sample in the last of `width` columns.
std::vector<Column> columns_of(const TimeSeries& series, const SampleSpan& span, int width);
// The greatest sample; 0 if there is none.
double greatest_of(std::span<const Column> columns);
// The worst sample: the greatest, or the least where low is bad. None without samples.
std::optional<double> worst_of(std::span<const Column> columns, bool low_is_bad);

// The top of an axis that reaches `value`: 1, 2 or 5 times a power of ten, at or above it.
double nice_above(double value);

// The unit in which figures up to `top` read best, and how many of the quantity's own units make one of it.
struct AxisUnit {
  QString name;
  double size = 1;
};
AxisUnit axis_unit(const QuantityInfo& quantity, double top);
// With three digits and without an exponent; large ones with thin spaces.
QString short_number(double value);
// "61 µs"
QString with_unit(const QuantityInfo& quantity, double value);

}  // namespace lw
