// When each sample of the last hour was taken. Samples are numbered from the first; all series of a history add theirs
// together, so that a number refers to the same moment in each.
#pragma once

#include "wall-control/models/time_series.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace lw {

class SampleTimes {
public:
  static constexpr int samples_max = TimeSeries::seconds_max * TimeSeries::samples_per_second;
  static constexpr int sample_ms = 1000 / TimeSeries::samples_per_second;

  // Adds a sample of this time; none: one interval after the one before. Time does not go back.
  void add(std::optional<qint64> time_ms);
  // How many samples are missing between the newest and one of this time; slight jitter counts as none.
  [[nodiscard]] int missing_before(qint64 time_ms) const;
  // All samples ever added; the newest is `count() - 1`.
  [[nodiscard]] qint64 count() const { return count_; }
  // For a sample that is too old or in the future, the time is extrapolated at the fixed rate. None before the first.
  [[nodiscard]] std::optional<qint64> time_of(qint64 sample) const;
  // The newest sample that is not later, or the oldest one known.
  [[nodiscard]] qint64 sample_at(qint64 time_ms) const;

private:
  [[nodiscard]] qint64 oldest() const { return std::max<qint64>(0, count_ - samples_max); }
  [[nodiscard]] qint64 known(qint64 sample) const { return ring_[static_cast<std::size_t>(sample % samples_max)]; }

  std::vector<qint64> ring_;
  qint64 count_ = 0;
};

}  // namespace lw
