// The streams of sound: one to each node with `audio`, from the server that sends the node's first tile, and from that
// server's standby. Their ports follow those of the flows.
#pragma once

#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lw {

struct SoundStream {
  unsigned number = 0;  // among the nodes with `audio`, in the order of the wall file
  const WallNode* node = nullptr;
  // As if it were a flow of the node's first tile, behind those of the wall: its ports and ways follow from that.
  Band band;
};

// All of a wall, which must outlive them.
std::vector<SoundStream> sounds_of(const Wall& wall);
// The one of a node, if it gets sound.
std::optional<SoundStream> sound_of(const Wall& wall, const WallNode& node);
// Those that a server sends, perhaps beside or instead of another one.
std::vector<SoundStream> sounds_of(const Wall& wall, const WallServer& server);

}  // namespace lw
