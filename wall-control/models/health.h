// How the wall is, by what the audience sees: the state of each tile, with the one figure that explains it. Severity is
// what can be seen: repaired loss is a warning; concealed, missing or late frames are faults. Draws nothing.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/ui/state_shape.h"

#include <QString>

namespace lw {

struct TileHealth {
  State state = State::off;
  QString badge;  // "0.9 % loss", "3 concealed", "31 ms late", "No preview"; empty if the tile is healthy
};

class Health {
  Q_DECLARE_TR_FUNCTIONS(Health)

public:
  // Both must outlive this.
  Health(const FlowHistory& history, const WallStatus& status) : history_(history), status_(status) {}

  [[nodiscard]] TileHealth of(const TileRow& tile) const;

private:
  const FlowHistory& history_;
  const WallStatus& status_;
};

}  // namespace lw
