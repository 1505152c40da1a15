// A line, and what follows it, as the coordinator announces them to the wall's other servers.
#pragma once

#include "common/messages/sound_level.h"
#include "common/wire/fade.h"
#include "common/wire/playout_ramp.h"
#include "server/play/line.h"
#include "server/play/playlist.h"
#include "server/send/stream_numbers.h"
#include "server/sync/parity_control.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace lw {

// A change that happens while the wall is black.
struct AnnouncedChange {
  std::string name;
  std::string digest;
  WallTime at{};  // media time of its first frame
  std::uint32_t frame = 0;
  bool paused = false;
  Nanoseconds fade{0};
  std::optional<PlaylistEntry> entry{};
  bool operator==(const AnnouncedChange&) const = default;
};

struct AnnouncedLine {
  std::uint64_t number = 1;  // grows with each line
  Line line;
  std::string name;                      // of the visualization; empty if nothing plays
  std::string digest;                    // of its frames: a server with other frames must not play them
  WallStart start{};                     // of the wall
  Playlist playlist{};                   // what follows
  std::optional<PlaylistEntry> entry{};  // of the playlist, that plays
  // Of the playlist's visualizations, by name, as far as the coordinator has them.
  std::map<std::string, std::string> digests{};
  std::optional<AnnouncedChange> coming{};
  Fades fades{};                       // as the nodes must draw them
  SoundLevel sound{};                  // as the nodes must play it
  std::optional<PlayoutRamp> delay{};  // the playout delay, if it is adapted
  ParitySwitches parity{};             // of flows, with [streaming] fec = "auto"
};

}  // namespace lw
