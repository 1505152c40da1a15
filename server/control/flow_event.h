// Events of the log that concern one flow. Their text begins with the flow and its tile.
#pragma once

#include "server/play/play_event.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace lw {

struct WatchedFlow {
  unsigned flow = 0;
  TileIndex tile;
  GridCell cell;          // of the tile
  std::string name = {};  // of a [[tile]]: in its cell's place

  [[nodiscard]] PlayEvent event(Severity severity, std::string code, std::string_view text) const {
    const auto of_tile = name.empty() ? fmt::format("{}, {}", cell.column, cell.row) : name;
    return {severity, std::move(code), fmt::format("flow {} (tile {}): {}", flow, of_tile, text), tile, flow};
  }
};

}  // namespace lw
