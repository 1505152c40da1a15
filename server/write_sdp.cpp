#include "server/write_sdp.h"

#include "common/net/address.h"
#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"
#include "common/wall/site.h"
#include "common/wall/sound_routes.h"
#include "common/wire/media_packet.h"
#include "common/wire/sdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

namespace lw {
namespace {

constexpr unsigned standard_udp_payload_max = 1460;  // ST 2110-10

// Those of its rows of groups that are within the tile.
RowRange pixel_rows(const Band& band, PixelFormat format, unsigned tile_height) {
  const auto rows = band.rows_in(format);
  const auto of_group = info(format).group_rows;
  const auto first = rows.first * of_group;
  return {first, std::min((rows.first + rows.count) * of_group, tile_height) - first};
}

FlowDescription to_node(const Wall& wall, const Band& band, PixelFormat format, FrameRate rate) {
  const auto& tile = wall.tile(band.tile);
  const auto& server = wall.server_of(band.tile);
  const auto route = routes_of(wall, server, band).front();
  const auto rows = pixel_rows(band, format, tile.place.height);
  FlowDescription flow;
  flow.session_name =
      fmt::format("{}: tile {} rows {}-{}", wall.name, tile.number(), rows.first, rows.first + rows.count - 1);
  flow.destination_address = route.to;
  flow.source_address = route.from.empty() ? server.control_host : route.from;
  flow.port = media_port(wall, band.flow);
  flow.format = format;
  flow.colour = wall.colour;
  flow.width = tile.place.width;
  flow.height = rows.count;
  flow.frame_rate = rate;
  flow.udp_payload_bytes = static_cast<unsigned>(media_datagram_max(wall, band.tile));
  flow.sealed = !wall.streaming.srtp_key_file.empty();
  flow.extended_packets = flow.udp_payload_bytes > standard_udp_payload_max;
  return flow;
}

SoundDescription to_node(const Wall& wall, const SoundStream& sound, unsigned channels) {
  const auto& server = wall.server_of(sound.band.tile);
  const auto route = routes_of(wall, server, sound.band).front();
  SoundDescription stream;
  stream.session_name = fmt::format("{}: sound of node {}", wall.name, sound.node->name);
  stream.destination_address = route.to;
  stream.source_address = route.from.empty() ? server.control_host : route.from;
  stream.port = media_port(wall, sound.band.flow);
  stream.channels = channels;
  stream.sealed = !wall.streaming.srtp_key_file.empty();
  return stream;
}

Result<void> write(const auto& stream, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  out << to_sdp(stream);
  out.close();
  if (!out) return Error{"cannot write " + file.string(), "give --sdp a directory that can be written"};
  return {};
}

}  // namespace

Result<unsigned> write_sdp(const Wall& wall, PixelFormat format, FrameRate rate, const std::filesystem::path& directory,
                           unsigned channels) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  unsigned count = 0;
  for (const auto& band : all_bands(wall)) {
    auto flow = to_node(wall, band, format, rate);
    if (const auto done = write(flow, directory / fmt::format("flow-{}.sdp", band.flow)); !done) return done.error();
    ++count;
    for (const auto& site : wall.sites) {
      if (site.has_relay() || is_served_before(wall, site)) continue;
      flow.destination_address = group_of(site, band.flow, 0).host();
      flow.source_address = leaves_by(wall.server_of(band.tile), site, band.flow);
      flow.group_ttl = site.ttl;
      const auto file = directory / fmt::format("group-{}.sdp", flow.destination_address);
      if (const auto done = write(flow, file); !done) return done.error();
      ++count;
    }
  }
  if (channels == 0) return count;
  for (const auto& sound : sounds_of(wall)) {
    const auto file = directory / fmt::format("sound-{}.sdp", sound.number);
    if (const auto done = write(to_node(wall, sound, channels), file); !done) return done.error();
    ++count;
  }
  return count;
}

}  // namespace lw
