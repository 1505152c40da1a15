// Samples at a fixed pace; a gap is a gap, not zero. Takes memory with its first sample.
#pragma once

#include "wall-control/models/quantity.h"

#include <QJsonObject>

#include <array>
#include <optional>
#include <vector>

namespace lw {

class TimeSeries {
public:
  static constexpr int samples_max = 6000;  // ten minutes at 10 Hz

  void add(std::optional<double> value);
  // 0 is the newest.
  [[nodiscard]] std::optional<double> back(int age) const;
  [[nodiscard]] int size() const { return static_cast<int>(count_); }

private:
  std::vector<float> ring_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

// The quantities of a flow, a tile or the wall.
class SeriesSet {
public:
  explicit SeriesSet(Scope scope) : scope_(scope) {}

  // Figures of an interval of so many seconds. What is absent in them is a gap, and so is the growth of a count that
  // was not known before or begins anew.
  void add(const QJsonObject& figures, double interval_s);
  void add_gap();
  [[nodiscard]] const TimeSeries& of(Quantity quantity) const { return series_[static_cast<std::size_t>(quantity)]; }

private:
  Scope scope_;
  std::array<TimeSeries, quantity_count> series_;
  std::array<std::optional<double>, quantity_count> counted_;
};

}  // namespace lw
