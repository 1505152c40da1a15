#include "server/control/tile_overlays.h"

#include "common/messages/message.h"

namespace lw {

TileOverlays::TileOverlays(const Wall& wall, const NodeRegistry& nodes) : wall_(wall), nodes_(nodes) {
  for (const auto& tile : wall.tiles) tiles_.push_back({tile.cell});
}

Result<void> TileOverlays::change(const std::optional<GridCell>& cell,
                                  const std::function<void(TileOverlay&)>& change) {
  const auto& grid = wall_.grid;
  const auto there = grid.is_free() ? std::to_string(grid.columns) + " tiles: [0, 0] is the first of the wall file"
                                    : std::to_string(grid.columns) + " columns and " + std::to_string(grid.rows) +
                                          " rows, counted from 0";
  if (cell && !wall_.find_tile(*cell))
    return Error{"the wall has no tile [" + std::to_string(cell->column) + ", " + std::to_string(cell->row) + "]",
                 "it has " + there};
  for (TileIndex tile; tile.value < tiles_.size(); ++tile.value) {
    auto& overlay = tiles_[tile.value];
    if (cell && *cell != overlay.tile) continue;
    change(overlay);
    tell(tile);
  }
  return {};
}

void TileOverlays::tell(const std::string& node) const {
  for (TileIndex tile; tile.value < tiles_.size(); ++tile.value)
    if (wall_.node_of(tile).name == node) tell(tile);
}

void TileOverlays::tell(TileIndex tile) const {
  const auto& node = nodes_.of(tile);
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.pattern", to_json(tiles_[tile.value])));
}

std::vector<TileOverlay> TileOverlays::all() const {
  std::vector<TileOverlay> drawn;
  for (const auto& overlay : tiles_)
    if (overlay != TileOverlay{overlay.tile}) drawn.push_back(overlay);
  return drawn;
}

}  // namespace lw
