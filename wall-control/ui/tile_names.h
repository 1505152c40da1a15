// How texts for people call the tiles of the wall: those of a grid by column and row, others by their names.
#pragma once

#include "common/messages/info.h"

#include <QString>

namespace lw {

// From now on. A process shows one wall. Only on the thread of the window.
void name_tiles(const WallInfo& wall);
// "2,1", or "left".
QString tile_name(int column, int row);
// A text with "%1,%2" where the tile is to be named, such as "Tile %1,%2 on %3".
QString with_tile(QString text, int column, int row);

}  // namespace lw
