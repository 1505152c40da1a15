#include "server/play/playlist.h"

#include <fmt/format.h>

namespace lw {

Result<void> check(const Transition& transition) {
  using namespace std::chrono;
  if (transition.fade == Nanoseconds{0}) return {};
  if (transition.fade < Transition::fade_min || transition.fade > Transition::fade_max)
    return Error{fmt::format("a fade cannot take {} ms", duration_cast<milliseconds>(transition.fade).count()),
                 fmt::format("fades take {} to {} ms", Transition::fade_min.count(), Transition::fade_max.count())};
  return {};
}

Result<void> check(const PlaylistEntry& entry) {
  using Entry = PlaylistEntry;
  if (entry.loops && entry.seconds)
    return Error{entry.name + " has both loops and seconds", "give one of them: either ends it"};
  if (entry.loops && (*entry.loops < 1 || *entry.loops > Entry::loops_max))
    return Error{fmt::format("{} cannot be played {} times", entry.name, *entry.loops),
                 fmt::format("loops are 1 to {}", Entry::loops_max)};
  if (entry.seconds && !(*entry.seconds >= Entry::seconds_min && *entry.seconds <= Entry::seconds_max))
    return Error{fmt::format("{} cannot be played for {} seconds", entry.name, *entry.seconds),
                 fmt::format("seconds are {} to {:.0f}", Entry::seconds_min, Entry::seconds_max)};
  return check(entry.transition);
}

}  // namespace lw
