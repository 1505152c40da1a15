// The samples of all lines of a quantity as columns of pixels. A sample always belongs to the same column, so that a
// live chart moves its old columns and computes only the newest. A column keeps its least and greatest sample: no spike
// vanishes. A sample that is wider than a column fills several; a gap remains a gap.
#pragma once

#include "wall-control/models/flow_history.h"

#include <cmath>
#include <limits>
#include <vector>

namespace lw {

// How many columns the samples of the time shown are divided into.
struct ColumnGrid {
  qint64 samples = 600;
  int width = 600;

  [[nodiscard]] qint64 column_of(qint64 sample) const;
  // The last one that shows a part of the sample.
  [[nodiscard]] qint64 last_column_of(qint64 sample) const;
  // The first sample shown in a column.
  [[nodiscard]] qint64 sample_of(qint64 column) const;
  bool operator==(const ColumnGrid&) const = default;
};

struct Cell {
  float min = std::numeric_limits<float>::quiet_NaN(), max = std::numeric_limits<float>::quiet_NaN();

  [[nodiscard]] bool any() const { return !std::isnan(max); }
  [[nodiscard]] float middle() const { return (min + max) / 2; }
  void add(float least, float greatest) {
    min = std::fmin(min, least);  // fmin ignores not-a-number
    max = std::fmax(max, greatest);
  }
};

class ColumnRows {
public:
  // The columns from `first` on have changed.
  struct Update {
    bool everything = false;
    qint64 first = 0;
  };
  // `last`: the last sample shown.
  Update update(const FlowHistory& history, Quantity quantity, const Part& part, const ColumnGrid& grid, qint64 last);
  // The lines may be invalid.
  void forget();

  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] const SeriesLine& line(std::size_t row) const { return lines_[row]; }
  [[nodiscard]] const Cell& cell(std::size_t row, qint64 column) const { return cells_[row][place_of(column)]; }
  [[nodiscard]] qint64 first_column() const { return last_column() - grid_.width + 1; }
  [[nodiscard]] qint64 last_column() const { return grid_.last_column_of(last_); }
  // Where a column is kept: also for images and sums of the same width.
  [[nodiscard]] std::size_t place_of(qint64 column) const {
    const qint64 place = column % grid_.width;
    return static_cast<std::size_t>(place < 0 ? place + grid_.width : place);
  }

private:
  void fill(std::size_t row, qint64 from, qint64 newest);
  void fill_from_seconds(std::size_t row, qint64 from, qint64 newest);

  std::vector<SeriesLine> lines_;
  std::vector<std::vector<Cell>> cells_;  // by line; a ring
  ColumnGrid grid_;
  Quantity quantity_ = Quantity::throughput;
  Part part_;
  qint64 last_ = -1;
  int generation_ = -1;
};

}  // namespace lw
