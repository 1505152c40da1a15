#include "server/control/tile_overlays.h"

#include "common/messages/message.h"

namespace lw {

TileOverlays::TileOverlays(const Wall& wall, const NodeRegistry& nodes) : wall_(wall), nodes_(nodes) {
  for (unsigned index = 0; index < wall.tile_count(); ++index) tiles_.push_back({wall.tile(index)});
}

Result<void> TileOverlays::change(const std::optional<TileId>& tile, const std::function<void(TileOverlay&)>& change) {
  if (tile && (tile->column >= wall_.columns || tile->row >= wall_.rows))
    return Error{"the wall has no tile [" + std::to_string(tile->column) + ", " + std::to_string(tile->row) + "]",
                 "it has " + std::to_string(wall_.columns) + " columns and " + std::to_string(wall_.rows) +
                     " rows, counted from 0"};
  for (auto& overlay : tiles_) {
    if (tile && *tile != overlay.tile) continue;
    change(overlay);
    tell(overlay);
  }
  return {};
}

void TileOverlays::tell(const std::string& node) const {
  for (const auto& overlay : tiles_)
    if (wall_.node_of(overlay.tile).name == node) tell(overlay);
}

void TileOverlays::tell(const TileOverlay& overlay) const {
  const auto& node = nodes_.of(overlay.tile);
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.pattern", to_json(overlay)));
}

std::vector<TileOverlay> TileOverlays::all() const {
  std::vector<TileOverlay> drawn;
  for (const auto& overlay : tiles_)
    if (overlay != TileOverlay{overlay.tile}) drawn.push_back(overlay);
  return drawn;
}

}  // namespace lw
