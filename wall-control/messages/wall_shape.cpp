#include "wall-control/messages/wall_shape.h"

namespace lw {

QRectF place_on(const WallInfo& wall, int column, int row) {
  if (const auto at = static_cast<std::size_t>(column); at < wall.tiles.size()) {
    const auto& tile = wall.tiles[at];
    return QRectF(tile.x, tile.y, tile.width, tile.height);
  }
  return QRectF(static_cast<double>(column) * (wall.tile_width + wall.bezel_x),
                static_cast<double>(row) * (wall.tile_height + wall.bezel_y), wall.tile_width, wall.tile_height);
}

QSizeF extent_of(const WallInfo& wall) {
  QRectF all;
  for (std::size_t i = 0; i < wall.tiles.size(); ++i) all |= place_on(wall, static_cast<int>(i), 0);
  if (!wall.tiles.empty()) return {all.right(), all.bottom()};
  const auto last = place_on(wall, static_cast<int>(wall.columns) - 1, static_cast<int>(wall.rows) - 1);
  return {last.right(), last.bottom()};
}

qint64 pixels_of(const WallInfo& wall) {
  if (wall.tiles.empty()) return qint64{wall.tile_width} * wall.tile_height * wall.columns * wall.rows;
  qint64 sum = 0;
  for (const auto& tile : wall.tiles) sum += qint64{tile.width} * tile.height;
  return sum;
}

}  // namespace lw
