// Samples at a fixed rate of ten a second; a gap is a gap, not zero. The last ten minutes are kept unchanged, the
// last hour as the least and greatest of each second. Allocates memory with its first sample that is not a gap.
#pragma once

#include "wall-control/models/quantity.h"

#include <array>
#include <optional>
#include <vector>

namespace lw {

// A part of a series: a number of samples, the last of which has `newer` after it.
struct SampleSpan {
  int newer = 0;
  int count = 0;
};

class TimeSeries {
public:
  static constexpr int samples_max = 6000;
  static constexpr int samples_per_second = 10;
  static constexpr int seconds_max = 3600;

  struct Second {
    float min = 0, max = 0;
  };
  void add(std::optional<double> value);
  // 0 is the newest.
  [[nodiscard]] std::optional<double> back(int age) const;
  [[nodiscard]] int size() const { return static_cast<int>(count_); }
  // Whether all samples of the span are still kept; else only seconds are.
  [[nodiscard]] static bool kept_whole(const SampleSpan& span) { return span.newer + span.count <= samples_max; }
  // The same in full seconds.
  [[nodiscard]] std::optional<Second> second_back(int age) const;
  [[nodiscard]] int seconds() const { return static_cast<int>(second_count_); }

private:
  void end_second();

  std::vector<float> ring_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  std::vector<Second> seconds_;  // of gaps: not a number
  std::size_t next_second_ = 0;
  std::size_t second_count_ = 0;
};

// The quantities of a flow, a tile or the wall.
class SeriesSet {
public:
  explicit SeriesSet(Scope scope) : scope_(scope) {}

  // Adds the values of an interval of so many seconds. Absent values are gaps, and so is the growth of a count that
  // was unknown before or restarted.
  void add(const QuantityValues& values, double interval_s);
  void add_gap();
  [[nodiscard]] const TimeSeries& of(Quantity quantity) const { return series_[static_cast<std::size_t>(quantity)]; }

private:
  Scope scope_;
  std::array<TimeSeries, quantity_count> series_;
  std::array<std::optional<double>, quantity_count> counted_;
};

}  // namespace lw
