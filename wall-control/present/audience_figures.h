// The four figures of the audience view, as words. Only measured ones are there.
#pragma once

#include "common/messages/info.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/present/repair.h"

#include <QString>

#include <vector>

namespace lw {

struct AudienceFigure {
  QString value, unit;
  QString about;
};

std::vector<AudienceFigure> audience_figures(const WallInfo& wall, const FlowHistory& history, const Repair& repair);

}  // namespace lw
