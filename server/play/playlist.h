// What follows on the wall, and how long each entry plays. Values only; Session plays them.
#pragma once

#include "common/base/result.h"
#include "server/play/transition.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace lw {

struct PlaylistEntry {
  std::uint64_t id = 0;  // of the entry (a visualization may be in the list twice); assigned by the session
  std::string name;
  // How long it plays. With neither: once, or endlessly while the session loops.
  std::optional<std::uint32_t> loops;
  std::optional<double> seconds;
  Transition transition{};  // from what plays before it

  // How many times its frames play before it ends; empty: as the session loops.
  [[nodiscard]] std::optional<std::uint32_t> times() const {
    return seconds ? std::optional<std::uint32_t>(UINT32_MAX) : loops;
  }
  bool operator==(const PlaylistEntry&) const = default;
};

struct Playlist {
  std::deque<PlaylistEntry> entries;  // in the order of playing
  bool repeat = false;                // entries go back to the end when they begin
  bool operator==(const Playlist&) const = default;
};

Result<void> check(const Transition& transition);
Result<void> check(const PlaylistEntry& entry);

}  // namespace lw
