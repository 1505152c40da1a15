#include "common/wall/wall_checks.h"

#include "common/base/frame_rate.h"
#include "common/net/address.h"
#include "common/wall/geometry.h"
#include "common/wall/send_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace lw {
namespace {

std::string text(const Wall& wall, TileIndex tile) { return wall.tile(tile).in_words(); }

void check_names(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  for (std::size_t i = 0; i < wall.nodes.size(); ++i)
    if (wall.find_node(wall.nodes[i].name) != &wall.nodes[i])
      errors.add(lines.nodes[i].name, fmt::format("a second node is named '{}'", wall.nodes[i].name),
                 "give each node its own name");
}

void check_standby(const Wall& wall, const WallServer& server, const ServerLines& lines, WallFileErrors& errors) {
  const auto* primary = wall.find_server(server.standby_for);
  if (primary == nullptr || primary->standby != Standby::none)
    return errors.add(lines.standby,
                      fmt::format("server '{}' is the standby of '{}', which {}", server.name, server.standby_for,
                                  primary == nullptr ? "is not in the wall file" : "is a standby itself"),
                      "name a [[server]] that sends tiles");
  if (wall.standby_of(*primary) != &server)
    errors.add(lines.standby, fmt::format("'{}' has two standbys", primary->name), "keep one of them");
  if (lines.tiles)
    errors.add(lines.standby, fmt::format("server '{}' is a standby and has tiles", server.name),
               "remove tiles: it sends those of the server that it stands for");
  if (server.coordinator)
    errors.add(lines.coordinator, fmt::format("server '{}' is a standby and the coordinator", server.name),
               "mark the server that it stands for");
  if (server.interfaces.empty() || primary->interfaces.empty())
    errors.add(lines.standby, fmt::format("'{}' and its standby need interfaces", primary->name),
               "name the address that the flows of each leave from, so that nodes know both");
}

void check_servers(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  const WallServer* coordinator = nullptr;
  for (std::size_t i = 0; i < wall.servers.size(); ++i) {
    const auto& server = wall.servers[i];
    if (wall.find_server(server.name) != &server)
      errors.add(lines.servers[i].name, fmt::format("a second server is named '{}'", server.name),
                 "give each server its own name");
    for (std::size_t other = 0; other < i; ++other)
      if (wall.servers[other].control_host == server.control_host &&
          wall.servers[other].control_port == server.control_port)
        errors.add(
            lines.servers[i].control,
            fmt::format("servers '{}' and '{}' have the same control address", wall.servers[other].name, server.name),
            "give each server its own control = \"ADDRESS:PORT\"");
    if (server.coordinator && coordinator != nullptr)
      errors.add(lines.servers[i].coordinator,
                 fmt::format("'{}' and '{}' are both coordinator", coordinator->name, server.name),
                 "keep coordinator = true at one server");
    if (server.coordinator) coordinator = &server;
    if (server.standby != Standby::none) check_standby(wall, server, lines.servers[i], errors);
  }
  if (wall.servers.size() > 1 && wall.sync.mode == SyncMode::wall)
    errors.add(lines.servers[1].name, "[sync] mode = \"wall\" needs all tiles to be sent by one server",
               "use mode = \"tile\", or keep one [[server]]");
}

void check_shown_once(const Wall& wall, const std::vector<WallNode>& nodes, const std::vector<NodeLines>& lines,
                      std::string_view heading, unsigned line_of_all, WallFileErrors& errors) {
  std::vector<const WallNode*> shown_by(wall.tile_count());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes[i].tiles.size(); ++j) {
      const auto& [tile, written, line] = lines[i].tiles[j];
      if (!tile) {
        errors.add(line, written + " lies outside the wall", names_of_tiles(wall));
        continue;
      }
      auto& shower = shown_by[tile->value];
      if (shower)
        errors.add(line, fmt::format("{} is shown twice, by node '{}' too", written, shower->name),
                   "remove one of the two");
      shower = &nodes[i];
    }
  }
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value)
    if (!shown_by[tile.value])
      errors.add(line_of_all, text(wall, tile) + " is shown by no node",
                 fmt::format("add it to the tiles of a {}", heading));
}

bool windows_overlap(const Wall& wall, const TilePlacement& a, const TilePlacement& b) {
  const auto overlap = [](int from, int size, int other_from, int other_size) {
    return from < other_from + other_size && other_from < from + size;
  };
  const auto of_a = wall.tile(a.tile).panel();
  const auto of_b = wall.tile(b.tile).panel();
  return overlap(a.window_x, of_a.width, b.window_x, of_b.width) &&
         overlap(a.window_y, of_a.height, b.window_y, of_b.height);
}

std::string window_sizes(const Wall& wall, const TilePlacement& a, const TilePlacement& b) {
  const auto of_a = wall.tile(a.tile).panel();
  const auto of_b = wall.tile(b.tile).panel();
  if (of_a == of_b) return fmt::format("each is {} x {} pixels", of_a.width, of_a.height);
  return fmt::format("they are {} x {} and {} x {} pixels", of_a.width, of_a.height, of_b.width, of_b.height);
}

// Finds two tiles of a node that would hide each other.
void check_placements(const Wall& wall, const std::vector<WallNode>& nodes, const std::vector<NodeLines>& lines,
                      WallFileErrors& errors) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& tiles = nodes[i].tiles;
    for (std::size_t second = 1; second < tiles.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        const auto &a = tiles[first], &b = tiles[second];
        if (a.monitor != b.monitor) continue;
        if (a.monitor && a.fills_monitor() && b.fills_monitor())
          errors.add(lines[i].tiles[second].line,
                     fmt::format("{} and {} both fill monitor {}", text(wall, a.tile), text(wall, b.tile), *b.monitor),
                     "give each its own monitor, or windows");
        else if (a.fills_monitor() || b.fills_monitor())
          errors.add(lines[i].tiles[second].line,
                     fmt::format("{} and {} share monitor {}, which one of them fills", text(wall, a.tile),
                                 text(wall, b.tile), *b.monitor),
                     "give both a window, which is their place on the monitor");
        else if (windows_overlap(wall, a, b))
          errors.add(lines[i].tiles[second].line,
                     fmt::format("the windows of {} and {} overlap", text(wall, a.tile), text(wall, b.tile)),
                     fmt::format("move one: {}", window_sizes(wall, a, b)));
      }
    }
  }
}

// Addresses of nodes and interfaces must be numeric and of one kind.
class AddressChecks {
public:
  explicit AddressChecks(WallFileErrors& errors) : errors_(errors) {}

  void node(const std::string& name, const std::string& text, unsigned line) {
    const auto address = Address::parse(text, 0);
    if (!address)
      return errors_.add(line, fmt::format("node '{}': {}", name, address.error().what), address.error().mend);
    if (address->same_host(Address::any(address->is_ipv6(), 0)))
      errors_.add(line, fmt::format("node '{}': flows cannot be sent to {}", name, text),
                  "write the address of the node's network card");
    if (!ipv6_) ipv6_ = address->is_ipv6();
    if (*ipv6_ != address->is_ipv6())
      errors_.add(line, fmt::format("node '{}' mixes IPv4 and IPv6 with the nodes before", name),
                  "give all nodes addresses of one kind");
  }
  void interface(const std::string& text, unsigned line) {
    const auto address = Address::parse(text, 0);
    if (!address)
      errors_.add(line, "[[server]] interfaces: " + address.error().what, address.error().mend);
    else if (ipv6_ && *ipv6_ != address->is_ipv6())
      errors_.add(line, fmt::format("interface {} and the nodes mix IPv4 and IPv6", text),
                  "give server and nodes addresses of one kind");
  }

private:
  WallFileErrors& errors_;
  std::optional<bool> ipv6_;  // of the first node
};

void check_second_address(const Wall& wall, const WallNode& node, unsigned line, WallFileErrors& errors) {
  // Of a server and its hot standby, each uses one of the networks.
  const auto needs_two = [&wall](const WallServer& server) {
    const auto* standby = wall.standby_of(server);
    const bool shares = server.standby == Standby::hot || (standby != nullptr && standby->standby == Standby::hot);
    return server.interfaces.size() < (shares ? 1 : 2);
  };
  if (node.second_address == node.address)
    errors.add(line, fmt::format("node '{}' has the same address twice", node.name),
               "give it one address on each of two networks");
  if (std::ranges::any_of(wall.servers, needs_two))
    errors.add(line, fmt::format("node '{}' has a second address, but a server has no second interface", node.name),
               "name two in [[server]] interfaces, in the order of the node's addresses");
}

void check_addresses(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  AddressChecks addresses(errors);
  for (std::size_t i = 0; i < wall.nodes.size(); ++i) {
    const auto& node = wall.nodes[i];
    addresses.node(node.name, node.address, lines.nodes[i].address);
    if (node.second_address.empty()) continue;
    addresses.node(node.name, node.second_address, lines.nodes[i].second_address);
    check_second_address(wall, node, lines.nodes[i].second_address, errors);
  }
  for (std::size_t i = 0; i < wall.servers.size(); ++i) {
    const auto& interfaces = wall.servers[i].interfaces;
    const auto line = lines.servers[i].interfaces;
    for (auto interface = interfaces.begin(); interface != interfaces.end(); ++interface) {
      addresses.interface(*interface, line);
      if (std::find(interfaces.begin(), interface, *interface) != interface)
        errors.add(line, fmt::format("interface {} is named twice", *interface), "name each interface once");
    }
  }
}

void check_flows(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  const auto& streaming = wall.streaming;
  for (const auto& tile : wall.tiles)
    if (streaming.flows_per_tile > tile.place.height)
      errors.add(
          lines.flows_per_tile,
          fmt::format("{} flows cannot share the {} rows of a tile", streaming.flows_per_tile, tile.place.height),
          fmt::format("use at most {}", tile.place.height));
  const bool rows_suffice =
      std::ranges::all_of(wall.tiles, [&](const Tile& tile) { return streaming.flows_per_tile <= tile.place.height; });
  const auto format = streaming.pixel_format;
  const auto without_groups =
      std::ranges::find_if(wall.tiles, [&](const Tile& tile) { return !has_groups(format, tile.place.width); });
  if (without_groups != wall.tiles.end())
    errors.add(lines.pixel_format,
               fmt::format("[streaming] pixel_format = \"{}\" cannot have {} of width {}", info(format).name,
                           without_groups->in_words(), without_groups->place.width),
               fmt::format("use widths that are multiples of {}, or another format", info(format).group_pixels));
  if (rows_suffice && !bands_have(wall, streaming.pixel_format))
    errors.add(lines.flows_per_tile,
               fmt::format("with {} flows per tile, some flows have no row of {} blocks", streaming.flows_per_tile,
                           info(streaming.pixel_format).name),
               "lower flows_per_tile, or use an uncompressed pixel_format");
  // The streams of sound follow the flows (common/wall/sound_routes.h).
  const auto sounds = wall.sound_count();
  const unsigned ports = 2 * (wall.flow_count() + sounds);
  const auto streams = fmt::format("{} flows{}", wall.flow_count(), sounds > 0 ? " and the sound" : "");
  const auto check_range = [&](unsigned first, unsigned line, const char* key) {
    if (first + ports <= 65536) return;
    errors.add(
        line, fmt::format("{} from {} = {} on run past port 65535", streams, key, first),
        ports <= 65536 - 1024 ? fmt::format("use at most {} = {}", key, 65536 - ports) : "use fewer flows_per_tile");
  };
  check_range(streaming.base_port, lines.base_port, "base_port");
  check_range(streaming.source_port, lines.source_port, "source_port");
  if (streaming.base_port < streaming.source_port + ports && streaming.source_port < streaming.base_port + ports)
    errors.add(
        std::max(lines.base_port, lines.source_port),
        fmt::format("ports {} to {} and {} to {} of the {} overlap", streaming.base_port,
                    streaming.base_port + ports - 1, streaming.source_port, streaming.source_port + ports - 1, streams),
        fmt::format("keep base_port and source_port at least {} apart", ports));
}

double milliseconds_of(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

// The default delay always leaves enough time: only an explicit one can be wrong.
void check_delay(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  const auto& streaming = wall.streaming;
  const auto interval = wall.frame_rate.duration_of(1);
  const auto delay = streaming.playout_delay;
  const auto least = least_playout_delay(wall);
  const auto fallback = default_playout_delay(wall.frame_rate, wall.sync.mode);
  if (lines.playout_delay && delay < least)
    errors.add(*lines.playout_delay,
               fmt::format("[streaming] playout_delay_ms = {} leaves no time to send a frame at {} frame/s",
                           delay.count(), to_text(wall.frame_rate)),
               fmt::format("use {} or more, or remove it for the default of {}", least.count(), fallback.count()));
  const SendWindow window(wall);
  if (lines.pace_fraction && window.asked(interval) > window.limit())
    errors.add(
        *lines.pace_fraction,
        fmt::format("[streaming] pace_fraction = {} of a frame interval of {:.1f} ms is more than the {:.0f} ms that "
                    "playout_delay_ms = {} leaves to send a frame",
                    streaming.pace_fraction, milliseconds_of(interval), milliseconds_of(window.limit()), delay.count()),
        fmt::format("use pace_fraction = {:.2f} or less, or playout_delay_ms = {} or more",
                    std::floor(100 * milliseconds_of(window.limit()) / milliseconds_of(interval) + 1e-6) / 100,
                    delay_for_whole_window(wall, interval).count()));
  if (lines.playout_delay_max && streaming.playout_delay_max.count() > 0 && streaming.playout_delay_max < delay)
    errors.add(*lines.playout_delay_max,
               fmt::format("[streaming] playout_delay_max_ms = {} is less than playout_delay_ms = {}{}",
                           streaming.playout_delay_max.count(), delay.count(),
                           lines.playout_delay ? "" : ", the default at this frame rate"),
               fmt::format("raise it to more than {}, or remove it for a delay that stays as it is", delay.count()));
}

void take_tile(Wall& wall, TileIndex tile, std::size_t server, unsigned line, std::vector<std::size_t>& sent_by,
               WallFileErrors& errors) {
  auto& sender = sent_by[tile.value];
  if (sender != server && sender != wall.servers.size())
    errors.add(line,
               fmt::format("{} is sent by '{}' and by '{}'", text(wall, tile), wall.servers[sender].name,
                           wall.servers[server].name),
               "name each tile at one server");
  sender = server;
}

void take_named_tiles(Wall& wall, const ServerTiles& range, std::size_t server, std::vector<std::size_t>& sent_by,
                      WallFileErrors& errors) {
  for (const auto cell : {range.first, range.last})
    if (!wall.find_tile(cell))
      return errors.add(range.line, fmt::format("tile ({}, {}) lies outside the wall", cell.column, cell.row),
                        names_of_tiles(wall));
  for (auto row = range.first.row; row <= range.last.row; ++row)
    for (auto column = range.first.column; column <= range.last.column; ++column)
      take_tile(wall, *wall.find_tile({column, row}), server, range.line, sent_by, errors);
}

}  // namespace

std::string names_of_tiles(const Wall& wall) {
  if (!wall.grid.is_free())
    return fmt::format("columns run from 0 to {}, rows from 0 to {}", wall.grid.columns - 1, wall.grid.rows - 1);
  constexpr std::size_t named_max = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(named_max, wall.tiles.size()); ++i)
    names += (i == 0 ? "" : ", ") + wall.tiles[i].name;
  const auto others = wall.tiles.size() - std::min(named_max, wall.tiles.size());
  return fmt::format("its tiles are {}{}", names, others > 0 ? fmt::format(" and {} more", others) : "");
}

void check_tiles(const Wall& wall, const std::vector<WallNode>& nodes, const std::vector<NodeLines>& lines,
                 std::string_view heading, unsigned line, WallFileErrors& errors) {
  check_shown_once(wall, nodes, lines, heading, line, errors);
  check_placements(wall, nodes, lines, errors);
}

void share_tiles(Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  if (wall.tile_count() == 0) return;  // which is an error already
  const auto nobody = wall.servers.size();
  std::vector<std::size_t> sent_by(wall.tile_count(), nobody);
  std::optional<std::size_t> rest;  // the server without a list
  for (std::size_t i = 0; i < nobody; ++i) {
    const auto& list = lines.servers[i].tiles;
    if (wall.servers[i].standby != Standby::none) {
      continue;  // it sends those of another
    } else if (list) {
      for (const auto& range : *list) take_named_tiles(wall, range, i, sent_by, errors);
    } else if (rest) {
      errors.add(
          lines.servers[i].name,
          fmt::format("servers '{}' and '{}' have no tiles = [...]", wall.servers[*rest].name, wall.servers[i].name),
          "name the tiles of all servers but one");
    } else {
      rest = i;
    }
  }
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value) {
    auto& sender = sent_by[tile.value];
    if (sender == nobody && !rest)
      errors.add(lines.servers.front().name, text(wall, tile) + " is sent by no server",
                 "add it to the tiles of a [[server]]");
    if (sender == nobody) sender = rest.value_or(0);
    wall.servers[sender].tiles.push_back(tile);
  }
  for (std::size_t i = 0; i < nobody; ++i)
    if (wall.servers[i].tiles.empty() && wall.servers[i].standby == Standby::none)
      errors.add(lines.servers[i].name, fmt::format("server '{}' sends no tile", wall.servers[i].name),
                 "give it tiles, or remove it");
}

void check_wall(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  check_names(wall, lines, errors);
  check_servers(wall, lines, errors);
  check_tiles(wall, wall.nodes, lines.nodes, "[[node]]", lines.wall, errors);
  check_addresses(wall, lines, errors);
  check_flows(wall, lines, errors);
  check_delay(wall, lines, errors);
  if (!errors.first()) check_sites(wall, lines, errors);
}

}  // namespace lw
