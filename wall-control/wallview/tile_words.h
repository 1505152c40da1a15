// A tile in words: for the status line, screen readers and the clipboard.
#pragma once

#include "wall-control/models/health.h"

#include <QString>

namespace lw {

// "Tile 2,1 on render-3: 3 concealed, frame 992, skew 0.08 ms, lateness 1.4 ms".
QString words_of_tile(const WallStatus& status, const TileHealth& health, const TileRow& tile);
// "Tile 3,0 · frame 1966 · 0.3 ms late": below a large tile.
QString line_of_tile(const TileRow& tile);
// The name of the state, as in the legend.
QString word_of(State state);
// Why a tile shows nothing, or something else than the stream; empty if neither is known.
QString reason_of_tile(const WallStatus& status, const TileRow& tile);
// All figures of the tile, its node and its flows: a line each, name and value separated by a tab.
QString figures_as_text(const FlowHistory& history, const WallStatus& status, const TileRow& tile);

}  // namespace lw
