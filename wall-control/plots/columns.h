// From samples to pixels: what falls into each column of a plot, and what its axis reads. No spike vanishes: a column
// keeps its least and greatest sample. A gap stays one.
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
// How many samples there are of a span: ten a second, or one where only seconds are kept.
int samples_of(const SampleSpan& span);
// That part of a series, its last sample in the last of `width` columns.
std::vector<Column> columns_of(const TimeSeries& series, const SampleSpan& span, int width);
// The greatest sample of them; 0 where there is none.
double greatest_of(std::span<const Column> columns);
// The worst: the greatest, or the least where low is bad. None where there is no sample.
std::optional<double> worst_of(std::span<const Column> columns, bool low_is_bad);

// The top of an axis that goes up to `value`: 1, 2 or 5 times a power of ten, at or above it.
double nice_above(double value);

// The unit that figures up to `top` read best in, and how many of their own make one of it.
struct AxisUnit {
  QString name;
  double size = 1;
};
AxisUnit axis_unit(const QuantityInfo& quantity, double top);
// With three digits and no power of ten.
QString short_number(double value);

}  // namespace lw
