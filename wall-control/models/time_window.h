// Which time the plots show: the newest seconds, or a held part of the past; and in it, a marked range that limits
// everything else. All views share one, so that they always refer to the same moments.
#pragma once

#include "wall-control/models/sample_times.h"

#include <QObject>

#include <optional>

namespace lw {

class TimeWindow : public QObject {
  Q_OBJECT

public:
  static constexpr int shortest_s = 10;
  static constexpr int longest_s = TimeSeries::seconds_max;

  // Sample numbers (SampleTimes), both inclusive.
  struct Range {
    qint64 first = 0, last = 0;
    [[nodiscard]] qint64 count() const { return last - first + 1; }
    bool operator==(const Range&) const = default;
  };
  explicit TimeWindow(const SampleTimes& times, QObject* parent = nullptr) : QObject(parent), times_(times) {}

  [[nodiscard]] bool live() const { return !held_; }
  [[nodiscard]] int seconds() const { return samples_ / TimeSeries::samples_per_second; }
  [[nodiscard]] Range shown() const;
  [[nodiscard]] const std::optional<Range>& marked() const { return marked_; }
  // The range of the figures: the marked range, or else everything shown.
  [[nodiscard]] Range chosen() const { return marked_.value_or(shown()); }
  [[nodiscard]] SampleSpan span_of(const Range& range) const;
  // The moment pointed to.
  [[nodiscard]] std::optional<qint64> moment() const { return moment_; }
  [[nodiscard]] const SampleTimes& times() const { return times_; }

  void set_seconds(int seconds);
  // Keeps `about` in its place; live, the newest sample.
  void zoom(double factor, qint64 about);
  void hold(bool held);
  void move(qint64 samples);
  // Holds this range, as far as the shortest and the longest time allow.
  void show(const Range& range);
  void mark(qint64 from, qint64 to);
  // Marks from the middle if nothing is marked yet; else moves the end that moved last.
  void extend_mark(qint64 samples);
  void unmark();
  // Zooms to the marked range, as far as the shortest time allows.
  void show_marked();
  // Points to a moment, and goes there if it is not shown.
  void point_to(qint64 sample);
  // Undoes one step at a time: nothing pointed to, nothing marked, live.
  void back();

signals:
  void changed();

private:
  void hold_at(qint64 last);
  [[nodiscard]] qint64 newest() const { return times_.count() - 1; }

  const SampleTimes& times_;
  int samples_ = 600;
  std::optional<qint64> held_;  // the last sample shown
  std::optional<Range> marked_;
  qint64 mark_from_ = 0, mark_to_ = 0;  // in the order in which they were set
  std::optional<qint64> moment_;
};

}  // namespace lw
