#include "server/write_sdp.h"

#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"
#include "common/wire/media_packet.h"
#include "common/wire/sdp.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace lw {
namespace {

constexpr unsigned standard_udp_payload_max = 1460;  // ST 2110-10

}  // namespace

Result<unsigned> write_sdp(const Wall& wall, PixelFormat format, FrameRate rate,
                           const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  unsigned count = 0;
  for (const auto& band : all_bands(wall)) {
    const auto& tile = wall.tile(band.tile);
    const auto& server = wall.server_of(band.tile);
    const auto route = routes_of(wall, server, band).front();
    FlowDescription flow;
    flow.session_name =
        fmt::format("{}: tile {} rows {}-{}", wall.name, tile.number(), band.first_row, band.first_row + band.rows - 1);
    flow.destination_address = route.to;
    flow.source_address = route.from.empty() ? server.control_host : route.from;
    flow.port = media_port(wall, band.flow);
    flow.format = format;
    flow.width = tile.place.width;
    flow.height = band.rows;
    flow.frame_rate = rate;
    flow.udp_payload_bytes = static_cast<unsigned>(media_datagram_max(wall, band.tile));
    flow.sealed = !wall.streaming.srtp_key_file.empty();
    flow.extended_packets = flow.udp_payload_bytes > standard_udp_payload_max;
    const auto file = directory / fmt::format("flow-{}.sdp", band.flow);
    std::ofstream out(file, std::ios::binary);
    out << to_sdp(flow);
    out.close();
    if (!out) return Error{"cannot write " + file.string(), "give --sdp a directory that can be written"};
    ++count;
  }
  return count;
}

}  // namespace lw
