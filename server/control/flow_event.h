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
  GridCell cell;  // of the tile

  [[nodiscard]] PlayEvent event(Severity severity, std::string code, std::string_view text) const {
    return {severity, std::move(code), fmt::format("flow {} (tile {}, {}): {}", flow, cell.column, cell.row, text),
            tile, flow};
  }
};

}  // namespace lw
