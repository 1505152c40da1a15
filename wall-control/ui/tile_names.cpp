#include "wall-control/ui/tile_names.h"

#include <QStringList>

namespace lw {
namespace {

// Of tiles that are described one by one; empty for a grid.
QStringList& free_names() {
  static QStringList names;
  return names;
}

}  // namespace

void name_tiles(const WallInfo& wall) {
  free_names().clear();
  for (const auto& tile : wall.tiles) free_names() << QString::fromStdString(tile.name);
}

QString tile_name(int column, int row) { return with_tile("%1,%2", column, row); }

// Names have no percent signs.
QString with_tile(QString text, int column, int row) {
  const bool named = row == 0 && column >= 0 && column < free_names().size();
  return named ? text.replace("%1,%2", free_names()[column]) : text.arg(column).arg(row);
}

}  // namespace lw
