// What is to follow on the wall, and for how long each. Values only; Session plays them.
#pragma once

#include "common/base/result.h"
#include "server/play/transition.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace lw {

struct PlaylistEntry {
  std::uint64_t id = 0;  // of the entry, not of the visualization, which may be there twice; given by the session
  std::string name;
  // How long it plays; with neither once, or on and on while the session loops.
  std::optional<std::uint32_t> loops;
  std::optional<double> seconds;
  Transition transition{};  // from what is on the wall before it

  // How many times its frames are played before it ends; nothing: as the session loops.
  [[nodiscard]] std::optional<std::uint32_t> times() const {
    return seconds ? std::optional<std::uint32_t>(UINT32_MAX) : loops;
  }
  bool operator==(const PlaylistEntry&) const = default;
};

struct Playlist {
  std::deque<PlaylistEntry> entries;  // that follow, in this order
  bool repeat = false;                // what has begun comes again at the end
  bool operator==(const Playlist&) const = default;
};

Result<void> check(const Transition& transition);
Result<void> check(const PlaylistEntry& entry);

}  // namespace lw
