// Where tiles lie on the wall, and how a tile is cut into the bands that its flows carry.
#pragma once

#include "common/wall/wall_file.h"

#include <cstdint>
#include <vector>

namespace lw {

// From the top left of the wall to the farthest edges of its tiles, with the bezels: a source is fitted to this.
Rect picture_rect(const Wall& wall);

// A horizontal band of a tile, carried by one flow.
struct Band {
  unsigned flow = 0;  // index over the whole wall: tile index * flows_per_tile + band number
  TileIndex tile;
  unsigned first_row = 0;  // within the tile
  unsigned rows = 0;
};

// The bands of a tile from top to bottom; heights differ by at most one row (the upper bands are the taller).
std::vector<Band> bands_of(const Wall& wall, TileIndex tile);
// What a band carries at the wall's frame rate in the largest pixel format, since any may be loaded,
// and while a frame comes, where the playout delay leaves it less time than pacing asks for.
BitRate band_rate_max(const Wall& wall, const Band& band);
// All bands of the wall, indexed by flow.
std::vector<Band> all_bands(const Wall& wall);
// The bands that a server sends, in the order of their flows.
std::vector<Band> bands_of(const Wall& wall, const WallServer& server);

// Whether flows to this tile's node leave by IPv6.
bool uses_ipv6(const Wall& wall, TileIndex tile);
// The largest media packet of a tile's flows, as UDP payload: what the MTU leaves, less what it grows by when it is
// sent again, and when it is encrypted. Server and node cut frames into packets by it.
std::size_t media_datagram_max(const Wall& wall, TileIndex tile);

// Ports of a flow (see StreamingSettings).
std::uint16_t media_port(const Wall& wall, unsigned flow);
std::uint16_t source_port(const Wall& wall, unsigned flow);

}  // namespace lw
