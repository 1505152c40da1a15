// What the nodes draw over their tiles at an operator's request: test patterns, tile names, marks of concealed rows.
// Control thread only.
#pragma once

#include "server/control/node_registry.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lw {

struct OverlaySettings {
  std::string pattern = "none";
  bool identify = false;
  bool mark = false;
};

class TileOverlays {
public:
  TileOverlays(const Wall& wall, const NodeRegistry& nodes) : wall_(wall), nodes_(nodes), tiles_(wall.tile_count()) {}

  // Changes the overlay of one tile, [column, row], or of all, and sends it to their nodes.
  Result<void> change(const std::optional<std::pair<unsigned, unsigned>>& tile,
                      const std::function<void(OverlaySettings&)>& change);
  // Sends a node the overlays of its tiles.
  void tell(const std::string& node) const;
  [[nodiscard]] Json json() const;  // of the tiles that have any

private:
  void tell(TileId tile) const;

  const Wall& wall_;
  const NodeRegistry& nodes_;
  std::vector<OverlaySettings> tiles_;
};

}  // namespace lw
