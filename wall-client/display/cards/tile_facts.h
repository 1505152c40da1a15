// Facts about a tile for the cards and patterns that a node paints.
#pragma once

#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

#include <string>

namespace lw {

struct TileFacts {
  std::string wall;
  std::string node;
  std::string address;  // to which the node's flows are sent
  std::string server;   // "127.0.0.1:9010"
  TileIndex tile;
  std::string number;  // of the tile, "2,0" or its name
  Grid grid;
  unsigned width = 0;
  unsigned height = 0;
  FrameRate frame_rate;
  Rect picture;            // of the whole wall, bezels included
  Rect part;               // this tile's part of it
  std::string position;    // "window at 0, 416" or "monitor 0"
  std::string ports;       // "UDP port 50000" or "UDP ports 50000 to 50004"
  Turn turn = Turn::none;  // of its panel
};

TileFacts facts_of(const Wall& wall, const WallNode& node, const TilePlacement& placement);

}  // namespace lw
