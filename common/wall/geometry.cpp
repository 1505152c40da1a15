#include "common/wall/geometry.h"

#include "common/net/address.h"
#include "common/wall/send_window.h"
#include "common/wire/media_packet.h"

#include <algorithm>

namespace lw {

Rect picture_rect(const Wall& wall) {
  Rect all;
  for (const auto& tile : wall.tiles) {
    all.width = std::max(all.width, tile.place.x + tile.place.width);
    all.height = std::max(all.height, tile.place.y + tile.place.height);
  }
  return all;
}

std::vector<Band> bands_of(const Wall& wall, TileIndex tile) {
  const unsigned tile_height = wall.tile(tile).place.height;
  const unsigned count = wall.streaming.flows_per_tile;
  std::vector<Band> bands;
  unsigned first_row = 0;
  for (unsigned band = 0; band < count; ++band) {
    const unsigned height = band_height(tile_height, count, band);
    bands.push_back({tile.value * count + band, tile, first_row, height});
    first_row += height;
  }
  return bands;
}

BitRate band_rate_max(const Wall& wall, const Band& band) {
  const double haste = SendWindow(wall).haste(wall.frame_rate.duration_of(1));
  const auto width = wall.tile(band.tile).place.width;
  const auto is_plain = [](PixelFormat format) { return info(format).depth == 8 && !info(format).varies_in_length(); };
  std::size_t bytes = 0;
  for (const auto format : all_pixel_formats)
    if ((is_plain(format) || format == wall.streaming.pixel_format) && has_groups(format, width))
      bytes = std::max(bytes, frame_bytes(format, width, band.rows));
  return {8.0 * static_cast<double>(bytes) * wall.frame_rate.hertz() * haste};
}

bool bands_have(const Wall& wall, PixelFormat format) {
  return std::ranges::all_of(all_bands(wall), [&](const Band& band) { return band.rows_in(format).count > 0; });
}

std::vector<Band> all_bands(const Wall& wall) {
  std::vector<Band> bands;
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value)
    std::ranges::copy(bands_of(wall, tile), std::back_inserter(bands));
  return bands;
}

std::vector<Band> bands_of(const Wall& wall, const WallServer& server) {
  std::vector<Band> bands;
  for (const auto tile : wall.tiles_of(server)) std::ranges::copy(bands_of(wall, tile), std::back_inserter(bands));
  return bands;
}

bool uses_ipv6(const Wall& wall, TileIndex tile) {
  const auto address = Address::parse(wall.node_of(tile).address, 0);
  return address.has_value() && address->is_ipv6();
}

std::size_t media_datagram_max(const Wall& wall, TileIndex tile) {
  return udp_payload_of_mtu(wall.streaming.mtu, uses_ipv6(wall, tile)) -
         (wall.streaming.resend ? wire::resend_bytes : 0) -
         (wall.streaming.srtp_key_file.empty() ? 0 : wire::sealed_bytes);
}

PacketCut packet_cut(const Wall& wall, TileIndex tile) {
  return {media_datagram_max(wall, tile), wall.streaming.packet_layout};
}

std::uint16_t media_port(const Wall& wall, unsigned flow) {
  return static_cast<std::uint16_t>(wall.streaming.base_port + 2 * flow);
}

std::uint16_t source_port(const Wall& wall, unsigned flow) {
  return static_cast<std::uint16_t>(wall.streaming.source_port + 2 * flow);
}

}  // namespace lw
