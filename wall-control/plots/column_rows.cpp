#include "wall-control/plots/column_rows.h"

#include <algorithm>

namespace lw {
namespace {

qint64 floor_divide(qint64 value, qint64 by) { return value / by - (value % by < 0 ? 1 : 0); }

}  // namespace

qint64 ColumnGrid::column_of(qint64 sample) const { return floor_divide(sample * width, samples); }

qint64 ColumnGrid::last_column_of(qint64 sample) const {
  return std::max(column_of(sample), column_of(sample + 1) - 1);
}

qint64 ColumnGrid::sample_of(qint64 column) const {
  const qint64 first = -floor_divide(-column * samples, width);
  // Samples are wider than columns: the one that began before continues.
  return column_of(first) > column ? first - 1 : first;
}

void ColumnRows::forget() {
  lines_.clear();
  cells_.clear();
  generation_ = -1;
}

ColumnRows::Update ColumnRows::update(const FlowHistory& history, Quantity quantity, const Part& part,
                                      const ColumnGrid& grid, qint64 last) {
  const qint64 newest = history.times().count() - 1;
  const bool same =
      generation_ == history.generation() && quantity == quantity_ && part == part_ && grid == grid_ && !lines_.empty();
  if (same && last == last_) return {false, last_column() + 1};
  const bool goes_on = same && last > last_ && last - last_ < grid.samples;
  const qint64 before = std::exchange(last_, last);
  if (goes_on) {
    const qint64 first = grid_.column_of(before);
    for (std::size_t row = 0; row < lines_.size(); ++row) fill(row, first, newest);
    return {false, first};
  }
  generation_ = history.generation();
  quantity_ = quantity;
  part_ = part;
  grid_ = grid;
  lines_ = history.lines(quantity, part);
  cells_.resize(lines_.size());
  for (std::size_t row = 0; row < lines_.size(); ++row) {
    cells_[row].resize(static_cast<std::size_t>(grid_.width));
    fill(row, first_column(), newest);
  }
  return {true, first_column()};
}

void ColumnRows::fill(std::size_t row, qint64 from, qint64 newest) {
  auto& cells = cells_[row];
  const auto& series = *lines_[row].series;
  const qint64 end = last_column();
  qint64 sample = grid_.sample_of(from);
  for (qint64 column = from; column <= end; ++column) {
    auto& cell = cells[place_of(column)];
    cell = {};
    const qint64 next = grid_.sample_of(column + 1);
    const qint64 behind = std::min(std::max(next, sample + 1), last_ + 1);
    for (qint64 at = sample; at < behind; ++at)
      if (const auto value = series.back(static_cast<int>(newest - at)))
        cell.add(static_cast<float>(*value), static_cast<float>(*value));
    sample = next;
  }
  if (newest - grid_.sample_of(from) >= series.size()) fill_from_seconds(row, from, newest);
}

// Of what is older than the samples that are kept, the seconds are.
void ColumnRows::fill_from_seconds(std::size_t row, qint64 from, qint64 newest) {
  auto& cells = cells_[row];
  const auto& series = *lines_[row].series;
  constexpr int step = TimeSeries::samples_per_second;
  const qint64 oldest = newest - grid_.sample_of(from);
  const qint64 end = std::min<qint64>(series.seconds(), oldest / step + 1);
  for (qint64 age = series.size() / step; age < end; ++age) {
    const auto second = series.second_back(static_cast<int>(age));
    if (!second) continue;
    const qint64 first = std::max(from, grid_.column_of(newest - age * step - step + 1));
    const qint64 last = std::min(last_column(), grid_.last_column_of(newest - age * step));
    for (qint64 column = first; column <= last; ++column) cells[place_of(column)].add(second->min, second->max);
  }
}

}  // namespace lw
