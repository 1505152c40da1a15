#include "common/clock/clock_keeper.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// Fast at first: a starting wall waits for its clock, and more exchanges find a shorter shortest one.
constexpr unsigned first_exchanges = 128;
constexpr std::chrono::milliseconds first_interval{10};
constexpr std::chrono::milliseconds interval{125};
constexpr std::chrono::seconds unanswered_max{2};

// Smaller offsets are slewed.
constexpr std::chrono::milliseconds step_above{20};
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

ClockKeeper::ClockKeeper(ClockKeeping& host) : host_(host) {
  host_.expect();
  published_.publish(counted_);
}

void ClockKeeper::lead() {
  step();
  end_slewing();
  leads_ = led_ = true;
  step();
}

void ClockKeeper::begin_anew() {
  end_slewing();
  leads_ = false;
  estimator_.forget();
  asked_ = {};
  next_request_ = {};
  taken_ = 0;
}

// Nothing is known any more that it could slew to.
void ClockKeeper::end_slewing() {
  if (!line_) return;
  const auto now = host_.counter();
  line_->error = line_->error_at(now);
  line_->wall = line_->at_raw(now);
  line_->at = now;
  line_->drift = drift_;
}

RawTime ClockKeeper::request() {
  const auto now = host_.counter();
  asked_[next_asked_] = now;
  next_asked_ = (next_asked_ + 1) % asked_.size();
  return now;
}

std::optional<RawTime> ClockKeeper::next_request() {
  const auto now = host_.counter();
  if (now < next_request_) return std::nullopt;
  next_request_ = now + (taken_ < first_exchanges ? first_interval : interval);
  return request();
}

void ClockKeeper::take_reply(RawTime asked, WallTime request_came, WallTime reply_left, SystemTime arrival) {
  if (!was_asked(asked)) return;
  const auto now = host_.read();
  if (!now || !reading_) return;
  // It may have arrived before the system clock was set.
  if (asked <= system_set_ || was_set(*reading_, *now)) return;
  take({asked, request_came, reply_left, RawTime{arrival.time_since_epoch() - now->system_less_raw()}});
}

void ClockKeeper::take_reply(RawTime asked, WallTime request_came, WallTime reply_left) {
  if (was_asked(asked)) take({asked, request_came, reply_left, host_.counter()});
}

bool ClockKeeper::was_asked(RawTime asked) {
  const auto request = std::ranges::find(asked_, asked);
  if (leads_ || request == asked_.end() || asked == RawTime{}) return false;
  *request = RawTime{};
  return true;
}

void ClockKeeper::take(const ClockExchange& exchange) {
  switch (estimator_.add(exchange)) {
    case OffsetEstimator::Verdict::impossible:
      return;
    case OffsetEstimator::Verdict::contradicts:
      taken_ = 0;
      break;
    case OffsetEstimator::Verdict::taken:
      break;
  }
  ++taken_;
  last_taken_ = exchange.answered;
}

void ClockKeeper::step() {
  const auto now = host_.read();
  if (!now) return;
  if (reading_ && was_set(*reading_, *now)) system_set_ = now->raw;
  reading_ = now;
  const auto estimate = estimator_.at(now->raw);
  if (leads_ && !line_) line_ = {now->raw, WallTime{now->system.time_since_epoch()}, 0, {}, 1};
  if (!leads_ && estimate) {
    set_line(*now, *estimate);
    publish(now->raw, *estimate);
  } else if (line_) {
    line_->system_less_raw = now->system_less_raw();
    if (leads_) line_->error = Nanoseconds{0};
    host_.keep(*line_);
  }
}

std::optional<Nanoseconds> ClockKeeper::error() const {
  return line_ ? std::optional(line_->error_at(host_.counter())) : std::nullopt;
}

void ClockKeeper::set_line(const ClockReading& now, const OffsetEstimate& estimate) {
  drift_ = estimate.drift;
  const WallTime best{now.raw.time_since_epoch() + estimate.offset};
  WallClockLine line{now.raw, best, estimate.drift, now.system_less_raw(), line_ ? line_->steps : 0};
  const auto before = line_ ? line_->at_raw(now.raw) : best;
  const auto error = best - before;
  if (!line_ || std::chrono::abs(error) > step_above) {
    ++line.steps;
  } else if (taken_ >= first_exchanges || led_) {
    line.wall = before;
    constexpr auto most = WallClockLine::slew_max;
    line.drift += std::clamp(ratio(error, Nanoseconds{slew_within}), -most, most);
  }
  const auto offset = line.wall.time_since_epoch() - now.raw.time_since_epoch();
  line.error = std::max(estimate.most - offset, offset - estimate.least);
  line_ = line;
  host_.keep(line);
}

void ClockKeeper::publish(RawTime now, const OffsetEstimate& estimate) {
  const auto offset = line_->wall.time_since_epoch() - now.time_since_epoch();
  counted_.state = now - last_taken_ > unanswered_max ? ClockState::holdover : ClockState::kept;
  counted_.error = line_->error;
  counted_.offset = offset - line_->system_less_raw;
  counted_.drift_ppm = estimate.drift * 1e6;
  counted_.round_trip_min = estimator_.round_trip_min();
  counted_.steps = line_->steps;
  published_.publish(counted_);
}

}  // namespace lw
