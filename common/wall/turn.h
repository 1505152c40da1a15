// How a panel hangs on the wall, and where its pixels are on the tile that it shows. Stores, flows, dumps and previews
// have a tile as the audience sees it; only what goes out to a turned panel is turned. Pure arithmetic.
#pragma once

#include <cstdint>

namespace lw {

// Clockwise, for the audience.
enum class Turn : std::uint8_t { none, quarter, half, three_quarters };

// In pixels; rows are counted from the top.
struct TurnPoint {
  int x = 0, y = 0;
  constexpr bool operator==(const TurnPoint&) const = default;
};
struct TurnSize {
  int width = 0, height = 0;
  constexpr bool operator==(const TurnSize&) const = default;
};

// The size of the panel that shows a tile of this size.
constexpr TurnSize panel_size(Turn turn, TurnSize tile) {
  const bool lies = turn == Turn::none || turn == Turn::half;
  return lies ? tile : TurnSize{tile.height, tile.width};
}

// The pixel of the tile that a pixel of the panel shows: from + right * x + down * y.
struct TurnMap {
  TurnPoint from;   // what the panel's first pixel shows
  TurnPoint right;  // one pixel to the panel's right
  TurnPoint down;   // one row of the panel down

  [[nodiscard]] constexpr TurnPoint shown_by(TurnPoint panel) const {
    return {from.x + right.x * panel.x + down.x * panel.y, from.y + right.y * panel.x + down.y * panel.y};
  }
};

// Of the panel that shows a tile of this size.
constexpr TurnMap turn_map(Turn turn, TurnSize tile) {
  const int last_x = tile.width - 1;
  const int last_y = tile.height - 1;
  switch (turn) {
    case Turn::none:
      return {{0, 0}, {1, 0}, {0, 1}};
    case Turn::quarter:
      return {{last_x, 0}, {0, 1}, {-1, 0}};
    case Turn::half:
      return {{last_x, last_y}, {-1, 0}, {0, -1}};
    case Turn::three_quarters:
      return {{0, last_y}, {0, -1}, {1, 0}};
  }
  return {};
}

}  // namespace lw
