#include "common/wall/wall_file.h"

#include "common/base/fingerprint.h"
#include "common/base/frame_rate.h"
#include "common/base/read_file.h"
#include "common/base/short_text.h"
#include "common/base/whole_number.h"
#include "common/net/address.h"
#include "common/net/multicast.h"
#include "common/wall/audio_output.h"
#include "common/wall/colour_keys.h"
#include "common/wall/placements.h"
#include "common/wall/send_window.h"
#include "common/wall/tile_sections.h"
#include "common/wall/toml_section.h"
#include "common/wall/wall_checks.h"
#include "common/wall/wall_keys.h"
#include "common/wire/layer_bytes.h"
#include "common/wire/media_packet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <initializer_list>

namespace lw {
namespace {

// The smallest MTU has room for the headers and a pixel group of any format, even over IPv6.
constexpr std::size_t headers_ipv6 =
    wire::ip_header_bytes(true) + wire::udp_header_bytes + wire::fixed_bytes + sizeof(wire::RowHeader);
static_assert(mtu_min >= headers_ipv6 + 5);

constexpr std::size_t file_bytes_max = std::size_t{1} << 20;

unsigned read_unsigned(TomlSection& section, std::string_view key, NumberRange range,
                       std::optional<unsigned> fallback = {}) {
  return static_cast<unsigned>(section.number(key, range, fallback));
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string read_name(TomlSection& section) {
  auto name = section.text("name");
  if (section.find("name") && (name.empty() || name.size() > 64 || !is_printable(name)))
    section.fail("name", section.name() + " name must be 1 to 64 printable characters", "give it a short name");
  return name;
}

FrameRate read_frame_rate(TomlSection& section) {
  const auto* node = section.find("frame_rate");
  if (!node || !(node->is_string() || node->is_floating_point()))
    return {static_cast<std::int32_t>(section.number("frame_rate", {frame_rate_min, frame_rate_max})), 1};
  const auto rate = parse_frame_rate(node->value_or(std::string_view()));
  if (rate) return *rate;
  section.fail(
      "frame_rate",
      fmt::format("[wall] frame_rate is not a rate from {} to {} frames per second", frame_rate_min, frame_rate_max),
      "write a whole number like 30 or a fraction like \"30000/1001\"");
  return {};
}

Grid read_grid(TomlSection& section) {
  Grid grid;
  grid.columns = read_unsigned(section, "columns", {1, 64});
  grid.rows = read_unsigned(section, "rows", {1, 64});
  // RFC 4175 counts rows and pixels with 15 bits.
  grid.tile_width = read_unsigned(section, "tile_width", {2, 16384});
  grid.tile_height = read_unsigned(section, "tile_height", {1, 16384});
  grid.bezel_x = read_unsigned(section, "bezel_x", {0, 4096}, 0);
  grid.bezel_y = read_unsigned(section, "bezel_y", {0, 4096}, 0);
  if (grid.tile_width % 2 != 0)
    section.fail("tile_width", fmt::format("[wall] tile_width = {} is odd", grid.tile_width),
                 "use an even width: YCbCr-4:2:2 pixels come in pairs");
  if (section.find("pitch_mm"))
    section.fail("pitch_mm", "[wall] pitch_mm has no effect on a grid of tiles",
                 "remove it, or describe each tile with [[tile]]");
  return grid;
}

void read_wall_section(TomlSection section, const std::vector<const toml::table*>& tiles, Wall& wall,
                       WallFileErrors& errors) {
  wall.name = read_name(section);
  wall.announce = section.flag("announce", false);
  if (tiles.empty())
    wall.set_grid(read_grid(section));
  else
    read_tile_sections(section, tiles, wall, errors);
  wall.frame_rate = read_frame_rate(section);
  wall.colour = read_colour(section);
}

// CPU numbers of the kernel; the programs check at start whether the host has them.
std::vector<unsigned> read_cpus(TomlSection& section, WallFileErrors& errors) {
  constexpr std::int64_t cpu_max = 8191;
  std::vector<unsigned> cpus;
  const auto* list = section.array("cpus", false, "[2, 3]");
  if (list == nullptr) return cpus;
  for (const auto& entry : *list) {
    const auto cpu = entry.value_exact<std::int64_t>();
    if (cpu && *cpu >= 0 && *cpu <= cpu_max)
      cpus.push_back(static_cast<unsigned>(*cpu));
    else
      errors.add(entry.source().begin.line, fmt::format("{} cpus: an entry is not a CPU number", section.name()),
                 fmt::format("write the kernel's numbers, 0 to {}, like cpus = [2, 3]", cpu_max));
  }
  return cpus;
}

std::string read_audio(TomlSection& section) {
  auto output = section.text("audio", "");
  if (section.find("audio") && !is_audio_output(output))
    section.fail("audio", "[[node]] audio is not an output for sound",
                 "use \"default\", or a device like \"pipewire:NAME\" or \"alsa:hw:0\"");
  return output;
}

// Nodes of sites have one address, and get no sound.
WallNode read_node(TomlSection section, bool of_site, const Wall& wall, std::vector<NodeLines>& lines,
                   WallFileErrors& errors) {
  WallNode node;
  node.name = read_name(section);
  node.address = section.text("address");
  if (!of_site) node.second_address = section.text("second_address", "");
  if (!of_site) node.audio = read_audio(section);
  node.cpus = read_cpus(section, errors);
  auto& node_lines = lines.emplace_back(
      NodeLines{section.line("name"), section.line("address"), of_site ? 0 : section.line("second_address"), {}});
  const auto* tiles = section.array("tiles", true, "[{ column = 0, row = 0 }]");
  if (!tiles) return node;
  if (tiles->empty())
    section.fail("tiles", fmt::format("node '{}' shows no tile", node.name), "give it a tile or remove the node");
  for (const auto& entry : *tiles) {
    if (!entry.is_table() && !entry.is_string()) {
      errors.add(entry.source().begin.line, fmt::format("a tile of node '{}' is {}", node.name, type_text(entry)),
                 "write tiles as { column = 0, row = 0 }, or as the name of a [[tile]]");
      continue;
    }
    auto& tile_lines = node_lines.tiles.emplace_back(TileLines{{}, {}, entry.source().begin.line});
    if (const auto* name = entry.as_string())
      node.tiles.push_back(named_placement(wall, name->get(), tile_lines));
    else
      node.tiles.push_back(
          read_placement(TomlSection(*entry.as_table(), wall_section("tiles"), errors), wall, tile_lines));
  }
  return node;
}

// "127.0.0.1:9010", "[::1]:9010".
bool read_control(std::string_view text, WallServer& server) {
  const auto parts = split_host_port(text);
  if (!parts || text.starts_with('[') != (parts->host.find(':') != std::string::npos)) return false;
  server.control_host = parts->host;
  server.control_port = whole_number<std::uint16_t>(parts->port).value_or(0);
  return server.control_port != 0 && Address::parse(server.control_host, server.control_port).has_value();
}

std::vector<std::string> read_interfaces(TomlSection& section, WallFileErrors& errors) {
  std::vector<std::string> interfaces;
  const auto* list = section.array("interfaces", false, "[\"192.0.2.1\"]");
  if (list == nullptr) return interfaces;
  for (const auto& entry : *list) {
    if (const auto* address = entry.as_string())
      interfaces.push_back(address->get());
    else
      errors.add(entry.source().begin.line, fmt::format("an interface is {}", type_text(entry)),
                 "write its numeric address in quotes, like \"192.0.2.1\"");
  }
  return interfaces;
}

// "column = 3" or "columns = [0, 2]", and the same of rows; without either, all that the wall has.
void read_range(TomlSection& section, std::string_view one, std::string_view several, unsigned count, unsigned& first,
                unsigned& last) {
  if (section.find(one) && section.find(several))
    section.fail(several, fmt::format("a list of tiles has both {} and {}", one, several), "keep one");
  first = 0;
  last = count == 0 ? 0 : count - 1;
  if (section.find(one)) first = last = read_unsigned(section, one, {0, 63});
  const auto* range = section.array(several, false, "[0, 2]");
  if (range == nullptr) return;
  const auto bound = [&](std::size_t index) { return range->get(index)->value_exact<std::int64_t>().value_or(-1); };
  if (range->size() != 2 || bound(0) < 0 || bound(1) < bound(0) || bound(1) > 63)
    return section.fail(several, fmt::format("{} is not a first and a last number", several),
                        fmt::format("write both, like {} = [0, 2]", several));
  first = static_cast<unsigned>(bound(0));
  last = static_cast<unsigned>(bound(1));
}

// An entry that names a tile.
void read_server_tile(const Wall& wall, const std::string& name, unsigned line, ServerLines& lines,
                      WallFileErrors& errors) {
  const auto tile = wall.tile_named(name);
  if (!tile)
    return errors.add(line, fmt::format("the wall has no tile '{}'", short_text(name, 80)), names_of_tiles(wall));
  const auto cell = wall.tile(*tile).cell;
  lines.tiles->push_back({cell, cell, line});
}

void read_server_tiles(TomlSection& section, const Wall& wall, ServerLines& lines, WallFileErrors& errors) {
  const auto& grid = wall.grid;
  const auto* tiles = section.array("tiles", false, "[{ columns = [0, 2], rows = [0, 1] }]");
  if (tiles == nullptr) return;
  lines.tiles.emplace();
  for (const auto& entry : *tiles) {
    if (const auto* name = entry.as_string()) {
      read_server_tile(wall, name->get(), entry.source().begin.line, lines, errors);
      continue;
    }
    if (!entry.is_table() || grid.is_free()) {
      errors.add(entry.source().begin.line, fmt::format("an entry of a server's tiles is {}", type_text(entry)),
                 grid.is_free() ? "write the names of [[tile]] sections, like tiles = [\"left\"]"
                                : "write entries as { columns = [0, 2], rows = [0, 1] } or { column = 3, row = 0 }");
      continue;
    }
    TomlSection table(*entry.as_table(), wall_section("tiles of [[server]]"), errors);
    ServerTiles range{{}, {}, entry.source().begin.line};
    read_range(table, "column", "columns", grid.columns, range.first.column, range.last.column);
    read_range(table, "row", "rows", grid.rows, range.first.row, range.last.row);
    lines.tiles->push_back(range);
  }
}

void read_standby(TomlSection& section, WallServer& server, ServerLines& lines) {
  lines.standby = section.line("standby_for");
  server.standby_for = section.text("standby_for", "");
  const auto how = section.text("standby", "hot");
  if (how != "hot" && how != "cold")
    section.fail("standby", fmt::format("[[server]] standby = \"{}\" is not known", how),
                 "use \"hot\" (sends the same packets) or \"cold\" (sends when the other is silent)");
  if (section.find("standby") && server.standby_for.empty())
    section.fail("standby", "[[server]] standby needs standby_for", "name the server that it stands for");
  if (!server.standby_for.empty()) server.standby = how == "cold" ? Standby::cold : Standby::hot;
}

void read_server(TomlSection section, const Wall& wall, WallServer& server, ServerLines& lines,
                 WallFileErrors& errors) {
  server.name = read_name(section);
  server.coordinator = section.flag("coordinator", false);
  lines.name = section.line("name");
  lines.control = section.line("control");
  lines.coordinator = section.line("coordinator");
  read_server_tiles(section, wall, lines, errors);
  read_standby(section, server, lines);
  if (section.find("control") && !read_control(section.text("control"), server))
    section.fail("control", "[[server]] control is not a numeric address with a port",
                 "write it like \"127.0.0.1:9010\" or \"[::1]:9010\"");
  server.fingerprint = section.text("fingerprint", "");
  if (!server.fingerprint.empty() && !is_fingerprint(server.fingerprint))
    section.fail("fingerprint", "[[server]] fingerprint is not the fingerprint of a certificate",
                 "write what wall-server --fingerprint prints: \"sha256:\" and 64 digits");
  const auto block =
      read_unsigned(section, "read_block_kib", {4, 16'384}, static_cast<unsigned>(server.read_block_kib));
  if (block % 4 != 0)
    section.fail("read_block_kib", fmt::format("[[server]] read_block_kib = {} is not a multiple of 4", block),
                 "use 256, 512, 1024 or the like");
  server.read_block_kib = block;
  server.read_depth = read_unsigned(section, "read_depth", {1, 256}, server.read_depth);
  server.cpus = read_cpus(section, errors);
  server.read_kernel_polls = section.flag("read_kernel_polls", server.read_kernel_polls);
  lines.interfaces = section.line("interfaces");
  server.interfaces = read_interfaces(section, errors);
}

std::uint16_t read_port(TomlSection& section, std::string_view key, std::uint16_t fallback) {
  const auto port = read_unsigned(section, key, {1024, 65534}, fallback);
  if (port % 2 != 0)
    section.fail(key, fmt::format("[streaming] {} = {} is odd", key, port),
                 "use an even port; RTCP has the odd one above");
  return static_cast<std::uint16_t>(port);
}

// "20+4".
std::optional<FecStrength> parse_strength(std::string_view text) {
  const auto plus = text.find('+');
  if (plus == std::string_view::npos) return {};
  const auto data = whole_number<unsigned>(text.substr(0, plus));
  const auto parity = whole_number<unsigned>(text.substr(plus + 1));
  if (!data || !parity || *parity < 1 || *parity > *data || *data > 254 || *data + *parity > 255) return {};
  return FecStrength{*data, *parity};
}

// "none", "auto", "20+4", "auto 20+4".
void read_fec(TomlSection& section, StreamingSettings& streaming) {
  const auto text = section.text("fec", "auto");
  std::string_view rest = text;
  streaming.fec = FecUse::always;
  if (rest == "none") {
    streaming.fec = FecUse::never;
    return;
  }
  if (rest.starts_with("auto")) {
    streaming.fec = FecUse::needed;
    rest.remove_prefix(4);
    if (rest.empty()) return;
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  if (const auto strength = parse_strength(rest))
    streaming.fec_strength = *strength;
  else
    section.fail("fec", fmt::format("[streaming] fec = \"{}\" is not a forward error correction", text),
                 "use \"none\", \"auto\", or parity packets for every so many packets, like \"20+4\" or \"auto 20+4\": "
                 "together 255 at most, and not more parity than packets");
}

// One of `choices`; the first is the default.
std::string read_choice(TomlSection& section, std::string_view key, std::initializer_list<std::string_view> choices,
                        const std::string& mend) {
  auto value = section.text(key, std::string(*choices.begin()));
  if (std::ranges::find(choices, value) == choices.end())
    section.fail(key, fmt::format("{} {} = \"{}\" is unknown", section.name(), key, value), mend);
  return value;
}

// "auto", or a number.
void read_bursts(TomlSection& section, StreamingSettings& streaming) {
  if (const auto* value = section.find("burst_packets"); value != nullptr && value->is_string()) {
    if (section.text("burst_packets") != "auto")
      section.fail("burst_packets", "[streaming] burst_packets is not a number", "use \"auto\", or 1 to 64");
  } else if (value != nullptr) {
    streaming.burst_packets = read_unsigned(section, "burst_packets", {1, 64}, 1);
  }
  streaming.switch_buffer_kib = read_unsigned(section, "switch_buffer_kib", {1, 1'048'576}, 0);
  if (streaming.switch_buffer_kib > 0 && streaming.burst_packets > 0)
    section.fail("switch_buffer_kib", "[streaming] switch_buffer_kib has no effect with a number of burst_packets",
                 "remove one of them");
}

void read_streaming(TomlSection section, StreamingSettings& streaming, WallLines& lines) {
  streaming.flows_per_tile =
      read_unsigned(section, "flows_per_tile", {1, flows_per_tile_max}, streaming.flows_per_tile);
  const auto format = parse_pixel_format(section.text("pixel_format", std::string(info(streaming.pixel_format).name)));
  if (format)
    streaming.pixel_format = *format;
  else
    section.fail("pixel_format", "[streaming] " + format.error().what, format.error().mend);
  streaming.mtu = read_unsigned(section, "mtu", {mtu_min, mtu_max}, streaming.mtu);
  const auto layout = read_choice(section, "packet_layout", {"rows", "slots"}, "use \"rows\" or \"slots\"");
  streaming.packet_layout = layout == "slots" ? PacketLayout::in_slots : PacketLayout::in_rows;
  const auto pacing =
      read_choice(section, "pacing", {"linear", "kernel", "none"}, "use \"linear\", \"kernel\" or \"none\"");
  streaming.pacing = pacing == "none" ? Pacing::none : pacing == "kernel" ? Pacing::kernel : Pacing::linear;
  streaming.pace_fraction = section.real("pace_fraction", 0.1, 1.0, streaming.pace_fraction);
  read_bursts(section, streaming);
  streaming.pace_spin = std::chrono::microseconds{read_unsigned(section, "pace_spin_us", {0, 1000}, 0)};
  const auto assemble =
      read_choice(section, "assemble", {"auto", "kernel", "user"}, "use \"auto\", \"kernel\" or \"user\"");
  streaming.assemble = assemble == "kernel" ? RunAssembly::kernel
                       : assemble == "user" ? RunAssembly::user
                                            : RunAssembly::automatic;
  streaming.resend = section.flag("resend", streaming.resend);
  streaming.resend_percent = read_unsigned(section, "resend_percent", {1, 100}, streaming.resend_percent);
  streaming.zero_copy = section.flag("zero_copy", streaming.zero_copy);
  streaming.playout_delay =
      std::chrono::milliseconds(section.number("playout_delay_ms", {0, 10000}, streaming.playout_delay.count()));
  streaming.playout_delay_max = std::chrono::milliseconds(section.number("playout_delay_max_ms", {0, 10000}, 0));
  streaming.busy_poll = std::chrono::microseconds{read_unsigned(section, "busy_poll_us", {0, 1000}, 0)};
  streaming.realtime_priority = read_unsigned(section, "realtime_priority", {0, 99}, 0);
  streaming.dscp = read_unsigned(section, "dscp", {0, 63}, streaming.dscp);
  streaming.srtp_key_file = section.file("srtp_key_file", "media.key").path;
  streaming.base_port = read_port(section, "base_port", streaming.base_port);
  streaming.source_port = read_port(section, "source_port", streaming.source_port);
  read_fec(section, streaming);
  lines.flows_per_tile = section.line("flows_per_tile");
  lines.pixel_format = section.line("pixel_format");
  lines.base_port = section.line("base_port");
  lines.source_port = section.line("source_port");
  const auto line_if_written = [&](std::string_view key) {
    return section.find(key) != nullptr ? std::optional(section.line(key)) : std::nullopt;
  };
  lines.pace_fraction = line_if_written("pace_fraction");
  lines.playout_delay = line_if_written("playout_delay_ms");
  lines.playout_delay_max = line_if_written("playout_delay_max_ms");
}

void read_clock(TomlSection section, Wall& wall) {
  const auto source =
      read_choice(section, "source", {"system", "wall"},
                  "use \"system\" (PTP or chrony keep the hosts' clocks) or \"wall\" (the nodes follow the server's)");
  wall.clock = source == "wall" ? ClockSource::wall : ClockSource::system;
  wall.phc = section.text("phc", "");
  if (!section.find("phc")) return;
  if (!wall.phc.starts_with('/') || wall.phc.size() > 255 || !is_printable(wall.phc))
    section.fail("phc", "[clock] phc is not a device", "write the network card's, like phc = \"/dev/ptp0\"");
  if (wall.clock == ClockSource::wall)
    section.fail("phc", "[clock] phc has no effect with source = \"wall\", which follows no system clock",
                 "remove it, or use source = \"system\"");
}

void read_sync(TomlSection section, SyncSettings& sync) {
  const auto mode =
      read_choice(section, "mode", {"tile", "wall"},
                  "use \"tile\" (each tile shows what it has) or \"wall\" (all tiles show a frame, or none)");
  sync.mode = mode == "wall" ? SyncMode::wall : SyncMode::tile;
  const auto lost_node = read_choice(section, "lost_node", {"continue", "hold"},
                                     "use \"continue\" (the others play on) or \"hold\" (they wait for it)");
  sync.lost_node = lost_node == "hold" ? LostNode::hold : LostNode::go_on;
  sync.swap_group = read_unsigned(section, "swap_group", {0, 64}, 0);
  sync.swap_barrier = read_unsigned(section, "swap_barrier", {0, 64}, 0);
  if (sync.swap_barrier > 0 && sync.swap_group == 0)
    section.fail("swap_barrier", "[sync] swap_barrier is without a swap_group",
                 "add the group that the barrier joins to others, like swap_group = 1");
}

// The tables of an array of tables: empty if there is none or the key has another type. `heading`: in the file.
std::vector<const toml::table*> tables_of(TomlSection& root, std::string_view key, std::string_view heading,
                                          bool required = true) {
  std::vector<const toml::table*> tables;
  const auto* node = root.find(key);
  if (!node && !required) return tables;
  if (!node || !node->is_array_of_tables()) {
    root.fail(key, node ? fmt::format("'{}' is {}", key, type_text(*node)) : fmt::format("there is no {}", heading),
              fmt::format("write it under the heading {}", heading));
    return tables;
  }
  for (const auto& entry : *node->as_array()) tables.push_back(entry.as_table());
  return tables;
}

const toml::table* table_of(TomlSection& root, std::string_view key, bool required) {
  const auto* node = root.find(key);
  if (node && node->is_table()) return node->as_table();
  if (node || required)
    root.fail(key, node ? fmt::format("'{}' is {}", key, type_text(*node)) : fmt::format("there is no [{}]", key),
              fmt::format("write it under the heading [{}]", key));
  return nullptr;
}

void read_servers(TomlSection& root, Wall& wall, WallLines& lines, WallFileErrors& errors) {
  const auto tables = tables_of(root, "server", "[[server]]");
  if (tables.empty()) return;
  wall.servers.clear();
  for (const auto* table : tables)
    read_server(TomlSection(*table, wall_section("[[server]]"), errors), wall, wall.servers.emplace_back(),
                lines.servers.emplace_back(), errors);
  share_tiles(wall, lines, errors);
}

// A group of flow 0 says that the site has no relay.
WallSite read_site(TomlSection section, const Wall& wall, SiteLines& lines, WallFileErrors& errors) {
  WallSite site;
  site.name = read_name(section);
  site.address = section.text("address");
  const auto address = Address::parse(site.address, 0);
  const bool is_group = address && is_multicast(*address);
  site.group = section.text("group", is_group ? site.address : "");
  if (is_group && section.find("group"))
    section.fail("group", fmt::format("site '{}' has two groups", site.name),
                 "remove one: address is the group of a site without a relay, group is that of a relay");
  site.interfaces = read_interfaces(section, errors);
  if (site.interfaces.empty() && !is_group) site.interfaces = {site.address};
  site.ttl = read_unsigned(section, "ttl", {1, 255}, site.ttl);
  site.dscp = read_unsigned(section, "dscp", {0, 63}, wall.streaming.dscp);
  site.resend_percent = read_unsigned(section, "resend_percent", {1, 100}, wall.streaming.resend_percent);
  site.playout_delay =
      std::chrono::milliseconds(section.number("playout_delay_ms", {0, 10000}, wall.streaming.playout_delay.count()));
  lines.name = section.line("name");
  lines.address = section.line("address");
  lines.group = section.line("group");
  lines.interfaces = section.line("interfaces");
  lines.playout_delay = section.line("playout_delay_ms");
  for (const auto* table : tables_of(section, "node", "[[site.node]]"))
    site.nodes.push_back(
        read_node(TomlSection(*table, wall_section("[[site.node]]"), errors), true, wall, lines.nodes, errors));
  return site;
}

void read_sites(TomlSection& root, Wall& wall, WallLines& lines, WallFileErrors& errors) {
  for (const auto* table : tables_of(root, "site", "[[site]]", false)) {
    wall.sites.push_back(
        read_site(TomlSection(*table, wall_section("[[site]]"), errors), wall, lines.sites.emplace_back(), errors));
    wall.streaming.sites_delay = std::max(wall.streaming.sites_delay, wall.sites.back().playout_delay);
  }
}

Wall read(const toml::table& document, WallLines& lines, WallFileErrors& errors) {
  Wall wall;
  TomlSection root(document, wall_section("the wall file"), errors);
  if (const auto* table = table_of(root, "wall", true)) {
    lines.wall = table->source().begin.line;
    read_wall_section(TomlSection(*table, wall_section("[wall]"), errors), tables_of(root, "tile", "[[tile]]", false),
                      wall, errors);
  }
  for (const auto* table : tables_of(root, "node", "[[node]]"))
    wall.nodes.push_back(
        read_node(TomlSection(*table, wall_section("[[node]]"), errors), false, wall, lines.nodes, errors));
  read_servers(root, wall, lines, errors);
  lines.flows_per_tile = lines.pixel_format = lines.base_port = lines.source_port = lines.wall;
  if (const auto* table = table_of(root, "streaming", false))
    read_streaming(TomlSection(*table, wall_section("[streaming]"), errors), wall.streaming, lines);
  if (const auto* table = table_of(root, "clock", false))
    read_clock(TomlSection(*table, wall_section("[clock]"), errors), wall);
  if (const auto* table = table_of(root, "sync", false))
    read_sync(TomlSection(*table, wall_section("[sync]"), errors), wall.sync);
  if (!lines.playout_delay) wall.streaming.playout_delay = default_playout_delay(wall.frame_rate, wall.sync.mode);
  read_sites(root, wall, lines, errors);
  return wall;
}

}  // namespace

Result<Wall> parse_wall(std::string_view toml, const std::string& name) {
  WallFileErrors errors(name);
  try {
    const auto document = toml::parse(toml);
    WallLines lines;
    auto wall = read(document, lines, errors);
    if (!errors.first()) check_wall(wall, lines, errors);
    if (!errors.first()) return wall;
  } catch (const toml::parse_error& error) {
    errors.add(error.source().begin.line, "not valid TOML: " + std::string(error.description()),
               "see https://toml.io for the syntax");
  }
  return *errors.first();
}

Result<Wall> load_wall(const std::filesystem::path& file) {
  const auto read = read_file(file, file_bytes_max, "name a wall file, like walls/local-2x2.toml");
  return read ? parse_wall(*read, file.string()) : read.error();
}

const WallNode* Wall::find_node(std::string_view node_name) const {
  const auto found = std::ranges::find(nodes, node_name, &WallNode::name);
  return found == nodes.end() ? nullptr : &*found;
}

const WallServer* Wall::find_server(std::string_view server_name) const {
  const auto found = std::ranges::find(servers, server_name, &WallServer::name);
  return found == servers.end() ? nullptr : &*found;
}

const WallServer& Wall::coordinator() const {
  const auto marked = std::ranges::find(servers, true, &WallServer::coordinator);
  return marked == servers.end() ? servers.front() : *marked;
}

WallServer& Wall::coordinator() {
  const auto marked = std::ranges::find(servers, true, &WallServer::coordinator);
  return marked == servers.end() ? servers.front() : *marked;
}

const WallServer& Wall::server_of(TileIndex tile) const {
  const auto sends = [tile](const WallServer& server) {
    if (server.standby != Standby::none) return false;
    return server.tiles.empty() || std::ranges::binary_search(server.tiles, tile);
  };
  const auto found = std::ranges::find_if(servers, sends);
  assert(found != servers.end());
  return *found;
}

const WallServer* Wall::standby_of(const WallServer& server) const {
  const auto found = std::ranges::find_if(servers, [&](const WallServer& other) {
    return other.standby != Standby::none && other.standby_for == server.name;
  });
  return found == servers.end() ? nullptr : &*found;
}

std::vector<TileIndex> Wall::tiles_of(const WallServer& server) const {
  if (server.standby != Standby::none) return tiles_of(*find_server(server.standby_for));
  if (!server.tiles.empty()) return server.tiles;
  std::vector<TileIndex> all(tile_count());
  for (unsigned tile = 0; tile < tile_count(); ++tile) all[tile] = {tile};
  return all;
}

const WallNode& node_showing(const std::vector<WallNode>& nodes, TileIndex tile) {
  const auto found = std::ranges::find_if(nodes, [&](const WallNode& node) {
    return std::ranges::find(node.tiles, tile, &TilePlacement::tile) != node.tiles.end();
  });
  assert(found != nodes.end());
  return *found;
}

}  // namespace lw
