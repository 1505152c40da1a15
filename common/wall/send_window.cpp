#include "common/wall/send_window.h"

#include <algorithm>

namespace lw {
namespace {

constexpr double pace_fraction_least = 0.1;

Nanoseconds share_of(Nanoseconds interval, double fraction) {
  return Nanoseconds{static_cast<std::int64_t>(static_cast<double>(interval.count()) * fraction)};
}

std::chrono::milliseconds whole_milliseconds(Nanoseconds time) {
  return std::chrono::ceil<std::chrono::milliseconds>(time);
}

}  // namespace

std::chrono::milliseconds default_playout_delay(FrameRate rate, SyncMode mode) {
  const auto needed = rate.duration_of(1) + assumed_round_trip + send_margin(mode);
  return std::max(default_delay_least, whole_milliseconds(needed));
}

SendWindow::SendWindow(const Wall& wall)
    : fraction_(wall.streaming.pacing == Pacing::none ? 0 : wall.streaming.pace_fraction),
      limit_(std::max(wall.streaming.playout_delay - send_margin(wall.sync.mode), std::chrono::milliseconds{0})),
      longest_(std::max(std::min(asked(wall.frame_rate.duration_of(1)), limit_), limit_ - assumed_round_trip)) {}

Nanoseconds SendWindow::asked(Nanoseconds interval) const { return share_of(interval, fraction_); }

Nanoseconds SendWindow::of(Nanoseconds interval) const { return std::min(asked(interval), longest_); }

double SendWindow::haste(Nanoseconds interval) const {
  const auto wanted = asked(interval);
  if (wanted <= longest_) return 1;
  return static_cast<double>(wanted.count()) / static_cast<double>(std::max(longest_, Nanoseconds{1}).count());
}

std::chrono::milliseconds delay_for_whole_window(const Wall& wall, Nanoseconds interval) {
  return whole_milliseconds(SendWindow(wall).asked(interval)) + send_margin(wall.sync.mode);
}

std::chrono::milliseconds least_playout_delay(const Wall& wall) {
  const auto interval = wall.streaming.pacing == Pacing::none ? Nanoseconds{0} : wall.frame_rate.duration_of(1);
  const auto least = whole_milliseconds(share_of(interval, pace_fraction_least));
  return std::max(std::chrono::milliseconds{1}, least) + send_margin(wall.sync.mode);
}

}  // namespace lw
