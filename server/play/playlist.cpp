#include "server/play/playlist.h"

#include <fmt/format.h>

namespace lw {

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
  return {};
}

}  // namespace lw
