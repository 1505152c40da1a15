#include "common/wall/geometry.h"

#include "common/net/address.h"
#include "common/wall/send_window.h"
#include "common/wire/media_packet.h"

#include <algorithm>

namespace lw {

Rect picture_rect(const Wall& wall) {
  return {0, 0, wall.columns * wall.tile_width + (wall.columns - 1) * wall.bezel_x,
          wall.rows * wall.tile_height + (wall.rows - 1) * wall.bezel_y};
}

Rect tile_rect(const Wall& wall, TileId tile) {
  return {tile.column * (wall.tile_width + wall.bezel_x), tile.row * (wall.tile_height + wall.bezel_y), wall.tile_width,
          wall.tile_height};
}

std::vector<Band> bands_of(const Wall& wall, TileId tile) {
  const unsigned count = wall.streaming.flows_per_tile;
  const unsigned rows = wall.tile_height / count;
  const unsigned taller = wall.tile_height % count;
  std::vector<Band> bands;
  unsigned first_row = 0;
  for (unsigned band = 0; band < count; ++band) {
    const unsigned height = rows + (band < taller ? 1 : 0);
    bands.push_back({wall.index(tile) * count + band, tile, first_row, height});
    first_row += height;
  }
  return bands;
}

BitRate band_rate_max(const Wall& wall, unsigned rows) {
  const double haste = SendWindow(wall).haste(wall.frame_rate.duration_of(1));
  const double bytes = static_cast<double>(row_bytes(PixelFormat::rgb8, wall.tile_width)) * rows;
  return {8.0 * bytes * wall.frame_rate.hertz() * haste};
}

std::vector<Band> all_bands(const Wall& wall) {
  std::vector<Band> bands;
  for (unsigned tile = 0; tile < wall.tile_count(); ++tile)
    std::ranges::copy(bands_of(wall, wall.tile(tile)), std::back_inserter(bands));
  return bands;
}

bool uses_ipv6(const Wall& wall, TileId tile) {
  const auto address = Address::parse(wall.node_of(tile).address, 0);
  return address.has_value() && address->is_ipv6();
}

std::size_t media_datagram_max(const Wall& wall, TileId tile) {
  return udp_payload_of_mtu(wall.streaming.mtu, uses_ipv6(wall, tile)) -
         (wall.streaming.resend ? wire::resend_bytes : 0) -
         (wall.streaming.srtp_key_file.empty() ? 0 : wire::sealed_bytes);
}

std::uint16_t media_port(const Wall& wall, unsigned flow) {
  return static_cast<std::uint16_t>(wall.streaming.base_port + 2 * flow);
}

std::uint16_t source_port(const Wall& wall, unsigned flow) {
  return static_cast<std::uint16_t>(wall.streaming.source_port + 2 * flow);
}

}  // namespace lw
