// Checks conditions between the parts of a wall file: every tile is shown once, ports do not collide, addresses are
// numeric, a frame can be sent before its presentation; and every site shows the complete wall.
#pragma once

#include "common/wall/toml_section.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// Line numbers in the file, for errors.
struct TileLines {
  std::optional<TileIndex> tile;  // empty: the wall does not have it
  std::string written;            // "tile (2, 0)" or "tile 'left'"
  unsigned line = 0;
};
struct NodeLines {
  unsigned name = 0;
  unsigned address = 0;
  unsigned second_address = 0;
  std::vector<TileLines> tiles;  // as in WallNode::tiles
};
struct SiteLines {
  unsigned name = 0;
  unsigned address = 0;
  unsigned group = 0;
  unsigned interfaces = 0;
  unsigned playout_delay = 0;
  std::vector<NodeLines> nodes;  // as in WallSite::nodes
};
// The tiles that an entry of a server's list names.
struct ServerTiles {
  GridCell first, last;  // both are part of it; as written
  unsigned line = 0;
};
struct ServerLines {
  unsigned name = 0;
  unsigned control = 0;
  unsigned coordinator = 0;
  unsigned interfaces = 0;
  unsigned standby = 0;
  std::optional<std::vector<ServerTiles>> tiles;  // empty if the list is not written
};
struct WallLines {
  unsigned wall = 0;
  unsigned flows_per_tile = 0;
  unsigned pixel_format = 0;
  unsigned base_port = 0;
  unsigned source_port = 0;
  // For keys whose default depends on others: empty if the file does not have them.
  std::optional<unsigned> pace_fraction, playout_delay, playout_delay_max;
  std::vector<NodeLines> nodes;      // as in Wall::nodes
  std::vector<ServerLines> servers;  // as in Wall::servers
  std::vector<SiteLines> sites;      // as in Wall::sites
};

// How to correct a tile that the wall does not have.
std::string names_of_tiles(const Wall& wall);
// Gives each server its tiles: those that its list names, or those that no other list does.
void share_tiles(Wall& wall, const WallLines& lines, WallFileErrors& errors);
void check_wall(const Wall& wall, const WallLines& lines, WallFileErrors& errors);

// Each tile is shown once, by tiles that do not hide each other. `heading`: of these nodes in the file; `line`: of what
// they belong to.
void check_tiles(const Wall& wall, const std::vector<WallNode>& nodes, const std::vector<NodeLines>& lines,
                 std::string_view heading, unsigned line, WallFileErrors& errors);
// For a wall without other errors (common/wall/site_checks.cpp).
void check_sites(const Wall& wall, const WallLines& lines, WallFileErrors& errors);

}  // namespace lw
