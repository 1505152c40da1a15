// The slots of a store whose frames lie as the packets of a wall (wall-ingest --packets).
#pragma once

#include "common/wall/geometry.h"

#include <algorithm>
#include <cstddef>

namespace lw {

// Of all tiles: those of nodes with IPv6 have less room in a packet.
inline std::size_t slot_bytes_of(const Wall& wall) {
  auto room = media_datagram_max(wall, {});
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value)
    room = std::min(room, media_datagram_max(wall, tile));
  return PacketSlots::slot_bytes_for(room);
}

}  // namespace lw
