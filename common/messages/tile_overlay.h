// What a node draws over its tiles at an operator's request: identify, mark and pattern from operators, `node.pattern`
// from the server.
#pragma once

#include "common/messages/rules.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <optional>

namespace lw {

enum class Pattern : std::uint8_t { none, identify, grid, bar, ramp, black };
inline constexpr Names pattern_names{"none", "identify", "grid", "bar", "ramp", "black"};

struct TileOverlay {
  GridCell tile;
  Pattern pattern = Pattern::none;
  bool identify = false;  // tile, node and resolution over the frame
  bool mark = false;      // bars beside concealed rows

  static constexpr bool closed = false;
  static void members(auto& overlay, auto& visit) {
    visit("tile", overlay.tile);
    visit("pattern", overlay.pattern, pattern_names);
    visit("identify", overlay.identify, MayBeAbsent{});
    visit("mark", overlay.mark, MayBeAbsent{});
  }
  bool operator==(const TileOverlay&) const = default;
};

// identify, mark: for one tile, or for all.
struct SwitchRequest {
  bool on = false;
  std::optional<GridCell> tile;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("on", request.on);
    visit("tile", request.tile);
  }
  bool operator==(const SwitchRequest&) const = default;
};

struct PatternRequest {
  Pattern pattern = Pattern::none;
  std::optional<GridCell> tile;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("pattern", request.pattern, pattern_names);
    visit("tile", request.tile);
  }
  bool operator==(const PatternRequest&) const = default;
};

}  // namespace lw
