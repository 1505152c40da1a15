#include "server/play/transitions.h"

#include "common/plan/buffers.h"

#include <algorithm>

namespace lw {

WallTime Transitions::soonest(WallTime now) const { return now + read_ahead + notice_; }

std::optional<WallTime> Transitions::plan(const Transition& transition, bool something_plays, WallTime now,
                                          WallTime ends) {
  const auto soonest = this->soonest(now);
  if (change_ && transition.fade > Nanoseconds{0}) return change_;
  if (change_) {
    fades_.newest[0].bright = fades_.newest[0].end = soonest;
    return change_ = soonest;
  }
  if (transition.fade == Nanoseconds{0}) return {};
  const auto half = transition.fade / 2;
  const auto hold = std::min(frame_interval_, half / 4);  // black, so that the two never meet
  if (!something_plays) {
    fades_.add({now, now, now + read_ahead, now + read_ahead + half});
    return {};
  }
  const auto middle = std::max({now + fade_notice + half, soonest, ends + half});
  fades_.add({middle - half, middle - hold, middle + hold, middle + half});
  return change_ = middle;
}

bool Transitions::is_due(WallTime now) const { return change_ && soonest(now) >= *change_; }

bool Transitions::forget() {
  const bool is_news = change_ || fades_ != Fades{};
  change_.reset();
  fades_ = {};
  return is_news;
}

void Transitions::clock_jumped() {
  if (change_) change_ = WallTime{};
  fades_ = {};
}

}  // namespace lw
