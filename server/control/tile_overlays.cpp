#include "server/control/tile_overlays.h"

namespace lw {

Result<void> TileOverlays::change(const std::optional<std::pair<unsigned, unsigned>>& tile,
                                  const std::function<void(OverlaySettings&)>& change) {
  if (tile && (tile->first >= wall_.columns || tile->second >= wall_.rows))
    return Error{"the wall has no tile [" + std::to_string(tile->first) + ", " + std::to_string(tile->second) + "]",
                 "it has " + std::to_string(wall_.columns) + " columns and " + std::to_string(wall_.rows) +
                     " rows, counted from 0"};
  for (unsigned index = 0; index < tiles_.size(); ++index) {
    const auto id = wall_.tile(index);
    if (tile && TileId{tile->first, tile->second} != id) continue;
    change(tiles_[index]);
    tell(id);
  }
  return {};
}

void TileOverlays::tell(const std::string& node) const {
  for (unsigned index = 0; index < tiles_.size(); ++index)
    if (wall_.node_of(wall_.tile(index)).name == node) tell(wall_.tile(index));
}

void TileOverlays::tell(TileId tile) const {
  const auto& node = nodes_.of(tile);
  if (node.peer == nullptr) return;
  const auto& overlay = tiles_[wall_.index(tile)];
  node.peer->send(rpc_notification("node.pattern", {{"tile", {tile.column, tile.row}},
                                                    {"pattern", overlay.pattern},
                                                    {"identify", overlay.identify},
                                                    {"mark", overlay.mark}}));
}

Json TileOverlays::json() const {
  Json overlays = Json::array();
  for (unsigned index = 0; index < tiles_.size(); ++index) {
    const auto& tile = tiles_[index];
    if (tile.pattern == "none" && !tile.identify && !tile.mark) continue;
    overlays.push_back({{"tile", {wall_.tile(index).column, wall_.tile(index).row}},
                        {"pattern", tile.pattern},
                        {"identify", tile.identify},
                        {"mark", tile.mark}});
  }
  return overlays;
}

}  // namespace lw
