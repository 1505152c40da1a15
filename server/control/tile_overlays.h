// What the nodes draw over their tiles at an operator's request: test patterns, tile names, marks of concealed rows.
// Control thread only.
#pragma once

#include "common/messages/tile_overlay.h"
#include "server/control/node_registry.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lw {

class TileOverlays {
public:
  TileOverlays(const Wall& wall, const NodeRegistry& nodes);

  // Changes the overlay of one tile, or of all, and sends it to their nodes.
  Result<void> change(const std::optional<GridCell>& cell, const std::function<void(TileOverlay&)>& change);
  // Sends a node the overlays of its tiles.
  void tell(const std::string& node) const;
  [[nodiscard]] std::vector<TileOverlay> all() const;  // of the tiles that have any

private:
  void tell(TileIndex tile) const;

  const Wall& wall_;
  const NodeRegistry& nodes_;
  std::vector<TileOverlay> tiles_;  // as in Wall::tiles
};

}  // namespace lw
