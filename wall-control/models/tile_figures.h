// The figures of a tile, its node and its flows as words, each with its definition: the wall view and the panel beside
// it show the same.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/models/wall_status.h"

#include <QString>

#include <vector>

namespace lw {

struct ShownFigure {
  QString name;
  QString value;  // empty: not measured
  QString definition;
  bool alarming = false;
};

std::vector<ShownFigure> figures_of_tile(const FlowHistory& history, const WallStatus& status, const TileRow& tile);
std::vector<ShownFigure> figures_of_node(const NodeRow& node);
std::vector<ShownFigure> figures_of_flow(const FlowRow& flow);

// The name of the protocol's `pattern`.
QString pattern_text(const QString& pattern);
const std::vector<QString>& pattern_keys();

}  // namespace lw
