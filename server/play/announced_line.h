// A line, and what follows it, as the coordinator announces them to the wall's other servers.
#pragma once

#include "server/play/line.h"
#include "server/play/playlist.h"
#include "server/send/stream_numbers.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

struct AnnouncedLine {
  std::uint64_t number = 1;  // grows with each line
  Line line;
  std::string name;                      // of the visualization; empty if nothing plays
  std::string digest;                    // of its frames: a server with other frames must not play them
  WallStart start{};                     // of the wall
  Playlist playlist{};                   // what follows
  std::optional<PlaylistEntry> entry{};  // of the playlist, that plays
};

}  // namespace lw
