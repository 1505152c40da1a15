#include "wall-client/clock/node_clock.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// Fast at first: a starting wall waits for its clock, and more exchanges find a shorter shortest one.
constexpr unsigned first_exchanges = 128;
constexpr std::chrono::milliseconds first_interval{10};
constexpr std::chrono::milliseconds interval{125};
constexpr std::chrono::seconds unanswered_max{2};

// As in NTP: smaller offsets are slewed, by at most 500 ppm, which nobody can see or hear.
constexpr std::chrono::milliseconds step_above{20};
constexpr double slew_max = 500e-6;
constexpr std::chrono::seconds slew_within{2};

// The system clock was stepped between two of our steps: times of packets that arrived meanwhile are unknown.
constexpr std::chrono::microseconds system_step{100};

bool was_set(const ClockReading& before, const ClockReading& now) {
  return std::chrono::abs(now.system_less_raw() - before.system_less_raw()) > system_step;
}

double ratio(Nanoseconds part, Nanoseconds whole) {
  return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

}  // namespace

NodeClock::NodeClock(ClockKeeping& host) : host_(host) {
  host_.expect();
  published_.publish(counted_);
}

void NodeClock::begin_anew() {
  estimator_.forget();
  asked_ = {};
  next_request_ = {};
  taken_ = 0;
}

std::optional<RawTime> NodeClock::next_request() {
  const auto now = host_.counter();
  if (now < next_request_) return std::nullopt;
  next_request_ = now + (taken_ < first_exchanges ? first_interval : interval);
  asked_[next_asked_] = now;
  next_asked_ = (next_asked_ + 1) % asked_.size();
  return now;
}

void NodeClock::take_reply(RawTime asked, WallTime request_came, WallTime reply_left, SystemTime arrival) {
  const auto request = std::ranges::find(asked_, asked);
  if (request == asked_.end() || asked == RawTime{}) return;
  *request = RawTime{};
  const auto now = host_.read();
  if (!now || !reading_) return;
  // It may have arrived before the system clock was set.
  if (asked <= system_set_ || was_set(*reading_, *now)) return;
  const RawTime answered{arrival.time_since_epoch() - now->system_less_raw()};
  switch (estimator_.add({asked, request_came, reply_left, answered})) {
    case OffsetEstimator::Verdict::impossible:
      return;
    case OffsetEstimator::Verdict::contradicts:
      taken_ = 0;
      break;
    case OffsetEstimator::Verdict::taken:
      break;
  }
  ++taken_;
  last_taken_ = answered;
}

void NodeClock::step() {
  const auto now = host_.read();
  if (!now) return;
  if (reading_ && was_set(*reading_, *now)) system_set_ = now->raw;
  reading_ = now;
  const auto estimate = estimator_.at(now->raw);
  if (!estimate) return;
  set_line(*now, *estimate);
  publish(now->raw, *estimate);
}

void NodeClock::set_line(const ClockReading& now, const OffsetEstimate& estimate) {
  const WallTime best{now.raw.time_since_epoch() + estimate.offset};
  WallClockLine line{now.raw, best, estimate.drift, now.system_less_raw(), line_ ? line_->steps : 0};
  const auto before = line_ ? line_->at_raw(now.raw) : best;
  const auto error = best - before;
  if (!line_ || std::chrono::abs(error) > step_above) {
    ++line.steps;
  } else if (taken_ >= first_exchanges) {
    line.wall = before;
    line.drift += std::clamp(ratio(error, Nanoseconds{slew_within}), -slew_max, slew_max);
  }
  line_ = line;
  host_.keep(line);
}

void NodeClock::publish(RawTime now, const OffsetEstimate& estimate) {
  const auto offset = line_->wall.time_since_epoch() - now.time_since_epoch();
  counted_.state = now - last_taken_ > unanswered_max ? ClockState::holdover : ClockState::kept;
  counted_.error = std::max(estimate.most - offset, offset - estimate.least);
  counted_.offset = offset - line_->system_less_raw;
  counted_.drift_ppm = estimate.drift * 1e6;
  counted_.round_trip_min = estimator_.round_trip_min();
  counted_.steps = line_->steps;
  published_.publish(counted_);
}

}  // namespace lw
