#include "server/play/playlist.h"

#include "common/messages/play_limits.h"

#include <fmt/format.h>

namespace lw {

Result<void> check(const Transition& transition) {
  using namespace std::chrono;
  if (transition.fade == Nanoseconds{0}) return {};
  if (transition.fade < fade_min || transition.fade > fade_max)
    return Error{fmt::format("a fade cannot take {} ms", duration_cast<milliseconds>(transition.fade).count()),
                 fmt::format("fades take {} to {} ms", fade_min.count(), fade_max.count())};
  return {};
}

Result<void> check(const PlaylistEntry& entry) {
  if (entry.loops && entry.seconds)
    return Error{entry.name + " has both loops and seconds", "give one of them: either ends it"};
  if (entry.loops && (*entry.loops < 1 || *entry.loops > entry_loops_max))
    return Error{fmt::format("{} cannot be played {} times", entry.name, *entry.loops),
                 fmt::format("loops are 1 to {}", entry_loops_max)};
  if (entry.seconds && !(*entry.seconds >= entry_seconds_min && *entry.seconds <= entry_seconds_max))
    return Error{fmt::format("{} cannot be played for {} seconds", entry.name, *entry.seconds),
                 fmt::format("seconds are {} to {:.0f}", entry_seconds_min, entry_seconds_max)};
  return check(entry.transition);
}

}  // namespace lw
