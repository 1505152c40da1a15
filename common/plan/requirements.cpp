#include "common/plan/requirements.h"

#include "common/memory/pages.h"
#include "common/plan/buffers.h"
#include "common/store/stripe_layout.h"
#include "common/wall/flow_routes.h"
#include "common/wall/send_window.h"
#include "common/wall/site.h"
#include "common/wall/tile_slots.h"
#include "common/wire/layer_bytes.h"
#include "common/wire/media_packet.h"
#include "common/wire/parity_packet.h"

#include <algorithm>

namespace lw {
namespace {

constexpr unsigned files_of_the_program = 32;  // rings, logs, control connections

BitRate rate_of(double bytes_per_frame, FrameRate rate) { return {bytes_per_frame * 8 * rate.hertz()}; }

std::optional<BitRate> peak_of(BitRate mean, FrameRate rate, const SendWindow& window) {
  const auto interval = rate.duration_of(1);
  const auto sending = window.of(interval);
  if (sending <= Nanoseconds{0}) return std::nullopt;
  return mean * (static_cast<double>(interval.count()) / static_cast<double>(sending.count()));
}

Result<FlowNeed> flow_need(const Wall& wall, const WallServer& server, const Band& band, PixelFormat format,
                           FrameRate rate) {
  const auto& node = wall.node_of(band.tile);
  const auto width = wall.tile(band.tile).place.width;
  const auto rows = band.rows_in(format).count;
  const auto templates = PacketTemplates::lay_out(format, width, rows, packet_cut(wall, band.tile), 0);
  if (!templates) return templates.error();

  FlowNeed need;
  need.flow = band.flow;
  need.tile = band.tile;
  need.node = node.name;
  const auto routes = routes_of(wall, server, band);
  need.interface = routes.front().from;
  if (routes.size() > 1) need.second_interface = routes[1].from;
  need.packets_per_frame = templates->packets().size();
  need.datagram_bytes = templates->datagram_bytes();

  const auto ip_bytes = wire::ip_header_bytes(uses_ipv6(wall, band.tile));
  const auto sealed = wall.streaming.srtp_key_file.empty() ? 0 : wire::sealed_bytes;
  const auto around = sealed + wire::udp_header_bytes + ip_bytes + wire::ethernet_bytes;
  std::size_t bytes = need.packets_per_frame * around;
  for (const auto& packet : templates->packets()) bytes += packet.bytes();
  std::size_t packets = need.packets_per_frame;
  if (wall.streaming.fec == FecUse::always) {
    const auto parity = FecGroups(packets, wall.streaming.fec_strength).parity_packets();
    bytes += parity * (wire::parity_header_bytes + symbol_bytes_of(*templates) + around);
    packets += parity;
  }
  const auto pixel_bytes = row_bytes(format, width) * rows;
  need.load = {rate_of(static_cast<double>(pixel_bytes), rate), rate_of(static_cast<double>(bytes), rate),
               static_cast<double>(packets) * rate.hertz()};
  need.peak = peak_of(need.load.wire, rate, SendWindow(wall));
  return need;
}

// Flows to sites leave in addition to those to nodes.
void add_sites(const Wall& wall, const WallServer& server, Requirements& needs) {
  for (const auto& site : wall.sites) {
    if (is_served_before(wall, site)) continue;
    for (const auto& flow : needs.flows) {
      const auto& address = leaves_by(server, site, flow.flow);
      auto& interface = *std::ranges::find(needs.interfaces, address, &InterfaceNeed::address);
      ++interface.flows;
      interface.load += flow.load;
    }
  }
}

void add_flows(const Wall& wall, const WallServer& server, Requirements& needs) {
  for (const auto tile : wall.tiles_of(server)) {
    const auto& node = wall.node_of(tile);
    needs.tiles.push_back({tile, node.name, {}});
    auto known = std::ranges::find(needs.nodes, node.name, &NodeNeed::name);
    if (known == needs.nodes.end())
      known = needs.nodes.insert(known, NodeNeed{node.name, node.address, 0, 0, 0, 0, 0, {}});
    ++known->tiles;
  }
  for (const auto& address : server.interfaces) needs.interfaces.push_back({address, 0, {}});
  if (needs.interfaces.empty()) needs.interfaces.emplace_back();

  for (const auto& flow : needs.flows) {
    needs.total += flow.load;
    std::ranges::find(needs.tiles, flow.tile, &TileNeed::tile)->load += flow.load;
    auto& node = *std::ranges::find(needs.nodes, flow.node, &NodeNeed::name);
    ++node.flows;
    node.load += flow.load;
    const auto leaves_by = [&](const std::string& address) {
      auto& interface = *std::ranges::find(needs.interfaces, address, &InterfaceNeed::address);
      ++interface.flows;
      interface.load += flow.load;
    };
    leaves_by(flow.interface);
    if (!flow.second_interface.empty()) leaves_by(flow.second_interface);
  }
  add_sites(wall, server, needs);
}

// Parity of a flow's frame in the largest format: made by the sender, and kept by the receiver for each open band.
Result<void> add_parity(const Wall& wall, const Band& band, Requirements& needs) {
  const auto templates = PacketTemplates::lay_out(PixelFormat::rgb8, wall.tile(band.tile).place.width, band.rows,
                                                  packet_cut(wall, band.tile), 0);
  if (!templates) return templates.error();
  const FecGroups groups(templates->packets().size(), wall.streaming.fec_strength);
  const std::uint64_t symbols = groups.parity_packets() * symbol_bytes_of(*templates);
  needs.server_parity_bytes += symbols + groups.parity_packets() * wire::parity_header_bytes;
  const auto of_node = symbols * client_bands_open(wall.streaming, wall.frame_rate);
  std::ranges::find(needs.nodes, wall.node_of(band.tile).name, &NodeNeed::name)->parity_bytes += of_node;
  needs.client_parity_bytes += of_node;
  return {};
}

// Of a tile's frame in the largest format.
std::uint64_t frame_bytes_max(const Tile& tile) { return lw::frame_bytes_max(tile.place.width, tile.place.height); }

// The memory of a node that a tile uses.
std::uint64_t node_memory_of(const Wall& wall, TileIndex tile) {
  const auto width = wall.tile(tile).place.width;
  const auto bands = client_bands_per_flow(wall.streaming, wall.frame_rate);
  std::uint64_t bytes = picture_frames_per_tile * frame_bytes_max(wall.tile(tile));
  for (const auto& band : bands_of(wall, tile))
    bytes += receiver_flow_bytes + Pages::rounded(bands * band_memory_bytes(width, band.rows, packet_cut(wall, tile))) +
             client_coverage_bytes(wall.streaming, wall.frame_rate, std::size_t{width} * band.rows);
  return bytes;
}

// What decoders make of the bands of a format that varies in length.
std::uint64_t decoded_memory_of(const Wall& wall, TileIndex tile) {
  const auto& place = wall.tile(tile).place;
  return Pages::rounded(client_bands_per_flow(wall.streaming, wall.frame_rate) *
                        frame_bytes(PixelFormat::rgb8, place.width, place.height));
}

// Programs allocate for the wall's rate and the largest format, because any visualization may be loaded later. Only
// decoders wait for a visualization that needs them.
void add_memory(const Wall& wall, const WallServer& server, const Manifest& manifest, Requirements& needs) {
  const auto bands = bands_of(wall, server);
  needs.read_ahead_frames = read_ahead_frames(wall.frame_rate);
  needs.server_frames_per_tile = server_frames_per_tile(wall.streaming, wall.frame_rate);
  needs.server_memory_bytes = program_bytes + bands.size() * sender_flow_bytes;
  for (const auto& need : needs.tiles) {
    const auto& tile = wall.tile(need.tile);
    const auto frame_bytes = frame_memory_bytes(wall, need.tile);
    needs.server_memory_bytes += Pages::rounded(needs.server_frames_per_tile * frame_bytes);
    if (manifest.copies > 1) needs.server_memory_bytes += Pages::rounded(owed_frames(wall.frame_rate) * frame_bytes);
    needs.window_memory_bytes += window_frames_per_tile * frame_bytes_max(tile);
  }
  needs.parity_always = wall.streaming.fec == FecUse::always;
  if (needs.parity_always) needs.server_memory_bytes += needs.server_parity_bytes;
  for (const auto& band : bands)
    needs.receive_buffer_bytes = std::max(needs.receive_buffer_bytes, client_receive_buffer(band_rate_max(wall, band)));
  for (auto& node : needs.nodes) {
    node.memory_bytes = program_bytes;
    for (const auto& placement : wall.find_node(node.name)->tiles) {
      node.memory_bytes += node_memory_of(wall, placement.tile);
      if (info(manifest.pixel_format).varies_in_length()) node.memory_bytes += decoded_memory_of(wall, placement.tile);
    }
    if (needs.parity_always) node.memory_bytes += node.parity_bytes;
    node.socket_bytes = std::uint64_t{node.flows} * needs.receive_buffer_bytes;
    needs.client_memory_bytes += node.memory_bytes;
  }
}

// Over any D frames, each stripe is read once for each tile, so the stripes share the load evenly.
void add_stripes(const Manifest& manifest, const std::vector<std::filesystem::path>& directories, Requirements& needs) {
  const StripeLayout layout(manifest);
  std::uint64_t bytes = 0;
  for (const auto& tile : needs.tiles) bytes += layout.record_bytes(tile.tile);
  needs.read_bytes_per_s = static_cast<double>(bytes) * needs.frame_rate.hertz();
  const auto count = manifest.stripes.size();
  for (unsigned stripe = 0; stripe < count; ++stripe) {
    StripeNeed need;
    if (stripe < directories.size()) need.directory = directories[stripe];
    need.bytes_per_s = needs.read_bytes_per_s / static_cast<double>(count);
    if (manifest.frame_count > 0)
      for (const auto& tile : needs.tiles) need.bytes += layout.directory_bytes(stripe, tile.tile);
    needs.stripes.push_back(std::move(need));
  }
  needs.open_files += files_of_the_program + 2 * manifest.copies * static_cast<unsigned>(needs.tiles.size() * count);
}

// Two sockets for each path of a flow: to its node, to each relay, to each group, and to each node of a group.
unsigned sockets_of(const Wall& wall, const WallServer& server, const Band& band) {
  std::size_t paths = routes_of(wall, server, band).size() + wall.sites.size();
  for (const auto& site : wall.sites) paths += !site.has_relay() && !is_served_before(wall, site) ? 1 : 0;
  return 2 * static_cast<unsigned>(paths);
}

}  // namespace

Load& Load::operator+=(const Load& other) {
  pixels = pixels + other.pixels;
  wire = wire + other.wire;
  packets_per_s += other.packets_per_s;
  return *this;
}

Result<Requirements> requirements_of(const Wall& wall, const WallServer& server, const Manifest& manifest,
                                     const std::vector<std::filesystem::path>& stripe_directories) {
  Requirements needs;
  needs.content = manifest.name;
  needs.pixel_format = manifest.pixel_format;
  needs.frame_rate = manifest.frame_rate;
  needs.send_window = SendWindow(wall).of(manifest.frame_rate.duration_of(1));
  const auto bands = bands_of(wall, server);
  for (const auto tile : wall.tiles_of(server))
    needs.pixels_per_frame += std::uint64_t{wall.tile(tile).place.width} * wall.tile(tile).place.height;
  needs.sender_threads = static_cast<unsigned>(bands.size());
  for (const auto& band : bands) {
    needs.open_files += sockets_of(wall, server, band);
    auto flow = flow_need(wall, server, band, manifest.pixel_format, manifest.frame_rate);
    if (!flow) return flow.error();
    needs.flows.push_back(std::move(*flow));
  }
  add_flows(wall, server, needs);
  if (wall.streaming.fec != FecUse::never)
    for (const auto& band : bands)
      if (const auto added = add_parity(wall, band, needs); !added) return added.error();
  add_memory(wall, server, manifest, needs);
  add_stripes(manifest, stripe_directories, needs);
  return needs;
}

Manifest without_content(const Wall& wall, const std::vector<std::filesystem::path>& stripe_directories) {
  Manifest manifest;
  manifest.geometry = wall.grid;
  manifest.pixel_format = wall.streaming.pixel_format;
  manifest.frame_rate = wall.frame_rate;
  manifest.stripes = stripe_directories;
  if (manifest.stripes.empty()) manifest.stripes = {"."};
  return manifest;
}

Result<Requirements> requirements_of(const Wall& wall, const WallServer& server,
                                     const std::vector<std::filesystem::path>& stripe_directories) {
  return requirements_of(wall, server, without_content(wall, stripe_directories), stripe_directories);
}

}  // namespace lw
