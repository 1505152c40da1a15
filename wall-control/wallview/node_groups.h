// The tiles of each node as a block of the wall, for brackets below it and outlines in it.
#pragma once

#include "wall-control/models/flow_history.h"

#include <QRect>
#include <QString>

#include <utility>
#include <vector>

namespace lw {

struct NodeGroup {
  QString name;
  QRect cells;  // the smallest block with all its tiles
  int tiles = 0, flows = 0;
  std::vector<std::pair<int, int>> places;  // of its tiles: column and row
  bool contiguous = false;                  // the block has no other tiles
  bool alone = false;                       // no other node has tiles in its columns: it can have a bracket below them
};

// In the order of the wall.
std::vector<NodeGroup> node_groups(const FlowHistory& history);

}  // namespace lw
