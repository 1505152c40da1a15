#include "wall-client/display/cards/tile_facts.h"

#include <fmt/format.h>

namespace lw {

TileFacts facts_of(const Wall& wall, const WallNode& node, const TilePlacement& placement) {
  const auto& tile = wall.tile(placement.tile);
  const auto bands = bands_of(wall, placement.tile);
  const auto first = media_port(wall, bands.front().flow);
  const auto last = media_port(wall, bands.back().flow);
  TileFacts facts;
  facts.wall = wall.name;
  facts.node = node.name;
  facts.address = node.address;
  facts.server = fmt::format("{}:{}", wall.coordinator().control_host, wall.coordinator().control_port);
  facts.tile = placement.tile;
  facts.number = tile.number();
  facts.grid = wall.grid;
  facts.width = tile.place.width;
  facts.height = tile.place.height;
  facts.turn = tile.turn;
  facts.frame_rate = wall.frame_rate;
  facts.picture = picture_rect(wall);
  facts.part = tile.place;
  const auto window = fmt::format("window at {}, {}", placement.window_x, placement.window_y);
  facts.position = !placement.monitor  ? window
                   : placement.on_part ? fmt::format("monitor {}, {}", *placement.monitor, window)
                                       : fmt::format("monitor {}", *placement.monitor);
  facts.ports = first == last ? fmt::format("UDP port {}", first) : fmt::format("UDP ports {} to {}", first, last);
  return facts;
}

}  // namespace lw
