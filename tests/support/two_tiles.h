// A wall of two tiles on one node, on loopback and on ports that are free: for tests with the real threads and sockets.
#pragma once

#include "common/wall/wall_file.h"
#include "tests/support/ports.h"

namespace lw {

inline Wall two_tiles() {
  Wall wall;
  wall.name = "two";
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 64, .tile_height = 40});
  wall.frame_rate = {60, 1};
  wall.nodes = {{"node", "127.0.0.1", {{{0}, {}, 0, 0}, {{1}, {}, 64, 0}}}};
  wall.coordinator().interfaces = {"127.0.0.1"};
  wall.streaming.base_port = free_even_ports(8);
  wall.streaming.source_port = static_cast<std::uint16_t>(wall.streaming.base_port + 4);
  return wall;
}

}  // namespace lw
