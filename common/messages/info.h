// info: the server, its wall, and the caller.
#pragma once

#include "common/messages/rules.h"
#include "common/store/store_text_limits.h"
#include "common/wall/wall_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct NodeInfo {
  std::string name;
  std::string address;
  std::vector<GridCell> tiles;

  static constexpr bool closed = false;
  static void members(auto& node, auto& visit) {
    visit("name", node.name);
    visit("address", node.address, MayBeAbsent{});
    visit("tiles", node.tiles);
  }
  bool operator==(const NodeInfo&) const = default;
};

struct FlowInfo {
  unsigned flow = 0;
  GridCell tile;
  std::string node;
  unsigned first_row = 0;
  unsigned rows = 0;
  std::uint16_t port = 0;

  static constexpr bool closed = false;
  static void members(auto& flow, auto& visit) {
    visit("flow", flow.flow);
    visit("tile", flow.tile);
    visit("node", flow.node);
    visit("first_row", flow.first_row);
    visit("rows", flow.rows);
    visit("port", flow.port);
  }
  bool operator==(const FlowInfo&) const = default;
};

// Another place that shows the wall.
struct SiteInfo {
  std::string name;
  std::string address;               // the group of flow 0, or the relay
  bool relay = false;                // the server sends to a relay
  std::optional<std::string> group;  // to which the relay sends, if it sends to one
  std::int64_t playout_delay_ms = 0;
  unsigned resend_percent = 0;
  std::vector<NodeInfo> nodes{};

  static constexpr bool closed = false;
  static void members(auto& site, auto& visit) {
    visit("name", site.name);
    visit("address", site.address, MayBeAbsent{});
    visit("relay", site.relay, MayBeAbsent{});
    visit("group", site.group);
    visit("playout_delay_ms", site.playout_delay_ms, Whole{0, 10'000});
    visit("resend_percent", site.resend_percent, Whole{0, 100});
    visit("nodes", site.nodes);
  }
  bool operator==(const SiteInfo&) const = default;
};

// A [[tile]].
struct TileInfo {
  std::string name;
  unsigned x = 0, y = 0, width = 0, height = 0;  // pixels of the wall
  unsigned rotation = 0;                         // of its panel, in degrees clockwise

  static constexpr bool closed = false;
  static void members(auto& tile, auto& visit) {
    visit("name", tile.name);
    visit("x", tile.x, Whole{0, FreeTile::place_max});
    visit("y", tile.y, Whole{0, FreeTile::place_max});
    visit("width", tile.width, Whole{1, 16384});
    visit("height", tile.height, Whole{1, 16384});
    visit("rotation", tile.rotation, Whole{0, 270});
  }
  bool operator==(const TileInfo&) const = default;
};

// As in the wall file, with its limits. A server may omit members that only some programs need.
struct WallInfo {
  std::string name;
  // Of a wall whose tiles are described one by one: their number, and 1. Tile [i, 0] is entry i of `tiles`.
  unsigned columns = 1, rows = 1;
  unsigned tile_width = 0, tile_height = 0, bezel_x = 0, bezel_y = 0;  // pixels
  std::string frame_rate;                                              // as text: "29.97"
  unsigned flows_per_tile = 1;
  std::string pixel_format;
  std::int64_t playout_delay_ms = 0;
  std::vector<NodeInfo> nodes{};
  std::vector<FlowInfo> flows{};
  std::vector<SiteInfo> sites{};
  std::vector<TileInfo> tiles{};  // empty: a grid

  static constexpr bool closed = false;
  static void members(auto& wall, auto& visit) {
    visit("name", wall.name);
    visit("columns", wall.columns, Whole{1, FreeTile::count_max});
    visit("rows", wall.rows, Whole{1, 64});
    visit("tile_width", wall.tile_width, MayBeAbsent{});
    visit("tile_height", wall.tile_height, MayBeAbsent{});
    visit("bezel_x", wall.bezel_x, MayBeAbsent{});
    visit("bezel_y", wall.bezel_y, MayBeAbsent{});
    visit("frame_rate", wall.frame_rate, MayBeAbsent{});
    visit("flows_per_tile", wall.flows_per_tile, Whole{1, 16});
    visit("pixel_format", wall.pixel_format, MayBeAbsent{});
    visit("playout_delay_ms", wall.playout_delay_ms, Whole{0, 10'000});
    visit("nodes", wall.nodes);
    visit("flows", wall.flows, MayBeAbsent{});
    visit("sites", wall.sites, AbsentIfEmpty{});
    visit("tiles", wall.tiles, AbsentIfEmpty{}, AtMost{FreeTile::count_max});
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    if (!tiles.empty() && (tiles.size() != columns || rows != 1))
      return fmt::format("{} tiles are not {} columns in {} rows", tiles.size(), columns, rows);
    const auto shown = [&](GridCell tile) {
      return std::ranges::any_of(
          nodes, [&](const NodeInfo& node) { return std::ranges::find(node.tiles, tile) != node.tiles.end(); });
    };
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < columns; ++column)
        if (!shown({column, row})) return fmt::format("no node has the tile [{}, {}]", column, row);
    for (const auto& node : nodes)
      for (const auto& tile : node.tiles)
        if (tile.column >= columns || tile.row >= rows)
          return fmt::format("the wall has no tile [{}, {}]", tile.column, tile.row);
    return std::nullopt;
  }
  bool operator==(const WallInfo&) const = default;
};

struct VisitorInfo {
  std::string name;
  std::string role;  // see common/access/access_role

  static constexpr bool closed = false;
  static void members(auto& visitor, auto& visit) {
    visit("name", visitor.name);
    visit("role", visitor.role);
  }
  bool operator==(const VisitorInfo&) const = default;
};

// The part of the answer that all versions of the protocol have in common, to be read first.
struct ProtocolReply {
  int protocol = 0;

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) { visit("protocol", reply.protocol, Tolerated{}); }
  bool operator==(const ProtocolReply&) const = default;
};

struct InfoReply {
  std::string program;
  std::string version;
  int protocol = 0;
  std::string host;
  std::optional<VisitorInfo> you;  // absent from servers without access control
  WallInfo wall;
  std::vector<std::string> methods;           // methods of the server
  std::vector<std::string> import_from = {};  // directories below which `import` finds its inputs; empty: none

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("program", reply.program, MayBeAbsent{});
    visit("version", reply.version, MayBeAbsent{});
    visit("protocol", reply.protocol, MayBeAbsent{});
    visit("host", reply.host, MayBeAbsent{});
    visit("you", reply.you);
    visit("wall", reply.wall);
    visit("methods", reply.methods, MayBeAbsent{});
    visit("import_from", reply.import_from, Tolerated{}, AbsentIfEmpty{}, Text{StoreTextLimits::path});
  }
  bool operator==(const InfoReply&) const = default;
};

}  // namespace lw
