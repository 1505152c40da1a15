#include "server/sync/playout_control.h"

#include "common/wall/send_window.h"

#include <algorithm>

namespace lw {
namespace {

// Older reports of a receiver are ignored.
constexpr std::chrono::seconds heard_within{1};
// Added to the target, so that the delay need not grow again at once; and the least useful decrease.
constexpr std::chrono::milliseconds reserve{5};
constexpr std::chrono::milliseconds worthwhile{15};
constexpr std::chrono::seconds less_for{10};
// How long after its decision a change begins: it is sent many times before.
constexpr std::chrono::milliseconds lead{400};
// Duration of a change, as a multiple of it: while the delay grows, frames follow each other a tenth slower, because
// some arrive too late meanwhile; while it shrinks, a fiftieth faster.
constexpr int grow_over = 10;
constexpr int shrink_over = 50;
// Changes follow one another: a larger decrease would delay the next increase by seconds.
constexpr std::chrono::milliseconds shrink_step{20};
// A change that begins later than this, beyond the time to announce it, was decided before the clock was set back.
constexpr std::chrono::seconds begins_within{2};

}  // namespace

std::optional<NeededDelay> delay_needed(std::span<const FlowFeedback> flows, SyncMode mode, LocalTime now) {
  std::optional<NeededDelay> longest;
  Nanoseconds commitment{0};  // time for it to reach the most distant node
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (!flows[i].heard || now - *flows[i].heard > heard_within || !flows[i].delay_needed) continue;
    auto needed = *flows[i].delay_needed;
    if (mode == SyncMode::wall && flows[i].round_trip) {
      needed += *flows[i].round_trip / 2;                       // for the report that it is complete
      commitment = std::max(commitment, *flows[i].round_trip);  // the time that WallSync leaves for it
    }
    if (!longest || needed > longest->delay) longest = {needed, static_cast<unsigned>(i)};
  }
  if (longest) longest->delay += commitment + send_margin(mode);
  return longest;
}

std::optional<NeededDelay> longer(const std::optional<NeededDelay>& one, const std::optional<NeededDelay>& other) {
  if (!one || !other) return one ? one : other;
  return one->delay >= other->delay ? one : other;
}

PlayoutControl::PlayoutControl(const StreamingSettings& streaming)
    : least_(streaming.playout_delay),
      most_(streaming.longest_playout_delay()),
      delay_(PlayoutRamp::constant(streaming.playout_delay)) {}

const PlayoutRamp& PlayoutControl::step(const std::optional<NeededDelay>& need, WallTime now, LocalTime local_now,
                                        Nanoseconds ahead) {
  if (delay_.start > now + ahead + begins_within) delay_ = PlayoutRamp::constant(delay_.to);
  // One change after the other, and only when frames with the changed delay have been shown.
  if (now < delay_.end() + delay_.to) return delay_;
  const auto want = need ? std::optional(std::clamp<Nanoseconds>(need->delay, least_, most_)) : std::nullopt;
  const auto start = now + lead + ahead;
  if (want && *want > delay_.to) {
    less_since_.reset();
    change(std::min(*want + reserve, most_), start);
  } else if (want && *want + worthwhile < delay_.to) {
    less_ = less_since_ ? std::max(less_, *want) : *want;
    if (!less_since_) less_since_ = local_now;
    if (local_now - *less_since_ >= less_for) change(std::max<Nanoseconds>(less_, delay_.to - shrink_step), start);
  } else {
    less_since_.reset();
  }
  return delay_;
}

void PlayoutControl::change(Nanoseconds to, WallTime start) {
  const auto from = delay_.to;
  delay_ = {start, from, to, to > from ? grow_over * (to - from) : shrink_over * (from - to)};
}

}  // namespace lw
