// Where the tiles of a wall are, whether they are a grid or described one by one.
#pragma once

#include "common/messages/info.h"

#include <QRectF>

namespace lw {

// In pixels of the wall, from its top left. A column and a row of `info`.
QRectF place_on(const WallInfo& wall, int column, int row);
QSizeF extent_of(const WallInfo& wall);
qint64 pixels_of(const WallInfo& wall);  // of all its tiles

}  // namespace lw
