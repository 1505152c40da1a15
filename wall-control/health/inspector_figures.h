// The figures of a part of the wall as the inspector lists them: of a tile its own, of several, a node and the wall
// sums and worsts.
#pragma once

#include "wall-control/health/figure_grid.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/health.h"
#include "wall-control/models/wall_status.h"

#include <vector>

namespace lw {

std::vector<FigureGrid::Pair> pairs_of_tile(const TileRow& tile, const WallStatus& status);
// `tiles`: those of the part.
std::vector<FigureGrid::Pair> pairs_of_tiles(const FlowHistory& history, const WallStatus& status,
                                             const std::vector<std::size_t>& tiles, const Part& part);

}  // namespace lw
