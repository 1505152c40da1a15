// Where tiles are on the wall, and how a tile is cut into the bands of its flows.
#pragma once

#include "common/wall/wall_file.h"

#include <cstdint>
#include <vector>

namespace lw {

// From the top left of the wall to the outer edges of its tiles, including bezels: sources are fitted to this.
Rect picture_rect(const Wall& wall);

// A horizontal band of a tile, carried by one flow.
struct Band {
  unsigned flow = 0;  // index over the whole wall: tile index * flows_per_tile + band number
  TileIndex tile;
  unsigned first_row = 0;  // within the tile
  unsigned rows = 0;

  // The rows of pixel groups that it carries.
  [[nodiscard]] RowRange rows_in(PixelFormat format) const { return group_rows(format, {first_row, rows}); }
};

// The rows of one of a tile's `bands`: they differ by at most one, and upper bands are larger.
constexpr unsigned band_height(unsigned tile_height, unsigned bands, unsigned band) {
  return tile_height / bands + (band < tile_height % bands ? 1 : 0);
}
// The bands of a tile from top to bottom.
std::vector<Band> bands_of(const Wall& wall, TileIndex tile);
// The rate of a band at the wall's frame rate in the largest pixel format of 8 bits (any may be loaded) or the wall's
// own, while a frame arrives: higher if the playout delay leaves less time than pacing would use.
BitRate band_rate_max(const Wall& wall, const Band& band);
// Whether each band carries pixels of this format: those of blocks need bands of at least as many rows.
bool bands_have(const Wall& wall, PixelFormat format);
// All bands of the wall, indexed by flow.
std::vector<Band> all_bands(const Wall& wall);
// The bands that a server sends, in the order of their flows.
std::vector<Band> bands_of(const Wall& wall, const WallServer& server);

// Whether flows to this tile's node use IPv6.
bool uses_ipv6(const Wall& wall, TileIndex tile);
// The largest media packet of a tile's flows, as UDP payload: the MTU minus what is added when it is resent and when it
// is encrypted.
std::size_t media_datagram_max(const Wall& wall, TileIndex tile);
// By this, server and node both cut the frames of a tile's flows into packets.
PacketCut packet_cut(const Wall& wall, TileIndex tile);

// Ports of a flow (see StreamingSettings).
std::uint16_t media_port(const Wall& wall, unsigned flow);
std::uint16_t source_port(const Wall& wall, unsigned flow);

}  // namespace lw
