#include "server/send/send_schedule.h"

#include "common/plan/buffers.h"
#include "common/wall/send_window.h"

namespace lw {

WallTime SendSchedule::give_up_time(WallTime media_time, Nanoseconds interval, const PlayoutRamp& delay,
                                    std::optional<Nanoseconds> round_trip) {
  const auto of_use = delay.at(media_time) - arrival_margin - round_trip.value_or(Nanoseconds{0}) / 2;
  return media_time + std::max(std::min<Nanoseconds>(of_use, behind_most), 2 * interval);
}

void SendSchedule::begin(WallTime media_time, Nanoseconds interval, std::size_t total, WallTime give_up) {
  media_time_ = media_time;
  pace_ = pacer_.of(interval, total);
  give_up_ = give_up;
}

std::optional<WallTime> SendSchedule::waits_until(WallTime due, WallTime now, Nanoseconds early) const {
  const auto at = std::max(due - ahead_, not_before_);
  return at - now > early ? std::optional(at) : std::nullopt;
}

SendSchedule::Turn SendSchedule::turn(std::size_t number, std::size_t count, WallTime now, Nanoseconds early) {
  const auto due = pace_.due(media_time_, number);
  if (due - now > due_within) return {Verdict::give_up, {}, due};
  if (not_before_ - due > due_within) not_before_ = due;
  if (const auto at = waits_until(due, now, early)) return {Verdict::wait, *at, due};
  late_max_ = std::max(late_max_, now - due);
  not_before_ = pace_.not_before(not_before_, now, count);
  return {now > give_up_ ? Verdict::give_up : Verdict::send, {}, due};
}

}  // namespace lw
