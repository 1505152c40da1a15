#include "wall-client/receive/resend_requester.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::milliseconds reorder_wait_min{1};
constexpr std::chrono::milliseconds reorder_wait_max{20};
constexpr std::chrono::milliseconds patience_min{2};
constexpr std::chrono::seconds probe_interval{1};
// Until this long after its deadline, an answer still shows how long answers take.
constexpr std::chrono::seconds answer_max{1};

}  // namespace

boost::circular_buffer<ResendRequester::Missing>::iterator ResendRequester::place_of(std::int64_t sequence) {
  return std::lower_bound(missing_.begin(), missing_.end(), sequence,
                          [](const Missing& missing, std::int64_t number) { return missing.sequence < number; });
}

void ResendRequester::miss(std::int64_t first, std::int64_t last, WallTime now, WallTime deadline) {
  if (!missing_.empty()) first = std::max(first, missing_.back().sequence + 1);
  for (auto sequence = first; sequence <= last; ++sequence) {
    if (missing_.full() && (missing_.front().found || missing_.front().deadline <= now)) missing_.pop_front();
    if (missing_.full()) {
      counts_.overflow += static_cast<std::uint64_t>(last - sequence + 1);
      return;
    }
    missing_.push_back({sequence, deadline, now + reorder_wait_, {}, 0, false});
    next_look_ = std::min(next_look_, now + reorder_wait_);
  }
}

bool ResendRequester::found(std::int64_t sequence, bool resent, WallTime now) {
  const auto place = place_of(sequence);
  if (place == missing_.end() || place->sequence != sequence || place->found) return false;
  place->found = true;
  if (resent) answered();
  if (resent && place->attempts == 1) {
    // The path has become much shorter: earlier measurements no longer apply.
    if (remeasured_ == sequence && now - place->asked_at < *round_trip_ / 2) round_trip_.reset();
    learn_round_trip(now - place->asked_at, now);
  }
  if (now > place->deadline) return false;
  // It was only late: next time waits longer before requesting, and less again if nothing of the kind happens.
  if (!resent && place->attempts > 0) reorder_wait_ = std::min<Nanoseconds>(2 * reorder_wait_, reorder_wait_max);
  if (resent) reorder_wait_ = std::max<Nanoseconds>(reorder_wait_ - reorder_wait_ / 256, reorder_wait_min);
  return true;
}

void ResendRequester::forget(std::int64_t sequence) {
  if (const auto place = place_of(sequence); place != missing_.end() && place->sequence == sequence)
    place->found = true;
}

void ResendRequester::forget_after(WallTime latest) {
  while (!missing_.empty() && missing_.front().deadline > latest) missing_.pop_front();
}

void ResendRequester::learn_round_trip(Nanoseconds sample, WallTime now) {
  sample = std::max(sample, Nanoseconds{0});
  remeasure_at_ = now + probe_interval;
  if (!round_trip_) {
    round_trip_ = sample;
    deviation_ = sample / 2;
    return;
  }
  const auto difference = sample > *round_trip_ ? sample - *round_trip_ : *round_trip_ - sample;
  deviation_ = (3 * deviation_ + difference) / 4;
  round_trip_ = (7 * *round_trip_ + sample) / 8;
}

// How long an answer may take before it counts as lost.
Nanoseconds ResendRequester::patience() const {
  if (!round_trip_) return 2 * first_round_trip;
  return std::max<Nanoseconds>(*round_trip_ + 4 * deviation_, patience_min);
}

void ResendRequester::drop_done(WallTime now) {
  while (!missing_.empty() && (missing_.front().found || missing_.front().deadline <= now - answer_max))
    missing_.pop_front();
}

// The sender answers: packets held back because it seemed not to may now be due.
void ResendRequester::answered() {
  if (unanswered_ >= unanswered_max) next_look_ = WallTime{};
  unanswered_ = 0;
}

std::span<std::int64_t> ResendRequester::take_due(WallTime now, std::span<std::int64_t> out) {
  drop_done(now);
  if (now < next_look_) return {};
  next_look_ = never;
  std::size_t count = 0;
  for (auto& missing : missing_) {
    if (missing.found || missing.deadline <= now || missing.attempts == attempts_max) continue;
    auto look_again = missing.ask_at;
    if (missing.ask_at <= now && count < out.size()) {
      const bool in_time = now + round_trip_.value_or(Nanoseconds{0}) <= missing.deadline;
      if (!in_time && !remeasures(missing, now)) {
        counts_.hopeless += missing.attempts == 0;
        missing.ask_at = never;
        continue;
      }
      if (unanswered_ < unanswered_max || is_due(next_probe_, now, probe_interval)) {
        out[count++] = missing.sequence;
        look_again = ask(missing, now);
      } else {
        look_again = next_probe_;
      }
    }
    next_look_ = std::min(next_look_, look_again);
  }
  return out.first(count);
}

// Without this, a path that was long for a moment would count as long forever, because only answers shorten it.
bool ResendRequester::remeasures(const Missing& missing, WallTime now) {
  if (missing.attempts > 0 || !is_due(remeasure_at_, now, probe_interval)) return false;
  remeasure_at_ = now + probe_interval;
  remeasured_ = missing.sequence;
  return true;
}

// Counts the request, and returns when it may be repeated.
WallTime ResendRequester::ask(Missing& missing, WallTime now) {
  if (unanswered_ >= unanswered_max) next_probe_ = now + probe_interval;
  ++unanswered_;
  ++(missing.attempts == 0 ? counts_.asked : counts_.repeated);
  ++missing.attempts;
  missing.asked_at = now;
  missing.ask_at = now + time_to_next(missing, now);
  return missing.ask_at;
}

// The time of an answer. But if one was lost, and no answer to a later request could come in time, the remaining time
// is used for more requests: few packets are requested twice, and a complete frame depends on each.
Nanoseconds ResendRequester::time_to_next(const Missing& missing, WallTime now) const {
  const auto left = missing.deadline - round_trip_.value_or(Nanoseconds{0}) - now;
  if (!round_trip_ || missing.attempts == 1 || left >= patience()) return patience();
  return std::max<Nanoseconds>(left / 2, patience_min);
}

std::size_t ResendRequester::awaited(WallTime now) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(missing_, [&](const Missing& one) { return !one.found && one.deadline > now; }));
}

void ResendRequester::restart() {
  missing_.clear();
  round_trip_.reset();
  remeasured_.reset();
  unanswered_ = 0;
  next_look_ = never;
}

}  // namespace lw
