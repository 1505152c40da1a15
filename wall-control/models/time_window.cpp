#include "wall-control/models/time_window.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int shortest = TimeWindow::shortest_s * TimeSeries::samples_per_second;
constexpr int longest = TimeWindow::longest_s * TimeSeries::samples_per_second;

}  // namespace

TimeWindow::Range TimeWindow::shown() const {
  const qint64 last = held_.value_or(newest());
  return {last - samples_ + 1, last};
}

SampleSpan TimeWindow::span_of(const Range& range) const {
  return {static_cast<int>(newest() - range.last), static_cast<int>(range.count())};
}

void TimeWindow::set_seconds(int seconds) {
  samples_ = std::clamp(seconds * TimeSeries::samples_per_second, shortest, longest);
  emit changed();
}

void TimeWindow::zoom(double factor, qint64 about) {
  const int before = samples_;
  samples_ = std::clamp(static_cast<int>(std::lround(samples_ * factor)), shortest, longest);
  if (held_) hold_at(about + static_cast<qint64>(static_cast<double>(*held_ - about) * samples_ / before));
  emit changed();
}

void TimeWindow::hold_at(qint64 last) {
  const qint64 oldest = std::max<qint64>(0, times_.count() - longest);
  held_ = std::clamp(last, std::min(oldest + samples_ - 1, newest()), std::max<qint64>(0, newest()));
}

void TimeWindow::hold(bool held) {
  if (held == held_.has_value()) return;
  if (held)
    held_ = newest();
  else
    held_.reset();
  emit changed();
}

void TimeWindow::move(qint64 samples) {
  hold_at(held_.value_or(newest()) + samples);
  emit changed();
}

void TimeWindow::show(const Range& range) {
  samples_ = static_cast<int>(std::clamp<qint64>(range.count(), shortest, longest));
  hold_at(range.last);
  emit changed();
}

void TimeWindow::unmark() {
  if (!marked_) return;
  marked_.reset();
  emit changed();
}

void TimeWindow::mark(qint64 from, qint64 to) {
  const auto range = shown();
  mark_from_ = std::clamp(from, range.first, range.last);
  mark_to_ = std::clamp(to, range.first, range.last);
  marked_ = Range{std::min(mark_from_, mark_to_), std::max(mark_from_, mark_to_)};
  moment_.reset();
  hold_at(range.last);  // otherwise it would move on
  emit changed();
}

void TimeWindow::extend_mark(qint64 samples) {
  const auto range = shown();
  const auto middle = moment_.value_or(range.first + range.count() / 2);
  if (marked_)
    mark(mark_from_, mark_to_ + samples);
  else
    mark(middle, middle + samples);
}

void TimeWindow::show_marked() {
  if (!marked_) return;
  samples_ = std::clamp(static_cast<int>(marked_->count()), shortest, longest);
  hold_at(marked_->last + (samples_ - marked_->count()) / 2);
  emit changed();
}

void TimeWindow::point_to(qint64 sample) {
  moment_ = sample;
  const auto range = shown();
  if (sample < range.first || sample > range.last || !held_)
    hold_at(sample < range.first || sample > range.last ? sample + samples_ / 2 : range.last);
  emit changed();
}

void TimeWindow::back() {
  if (moment_ || marked_) {
    moment_.reset();
    marked_.reset();
  } else {
    held_.reset();
  }
  emit changed();
}

}  // namespace lw
