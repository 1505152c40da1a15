#include "wall-control/models/health.h"

namespace lw {

TileHealth Health::of(const TileRow& tile) const {
  const auto* node = status_.node(tile.node);
  if (node == nullptr || !node->connected) return {State::off, tr("No answer")};
  if (tile.troubles > 0) return {State::crit, tr("%n faulty frame(s)", nullptr, static_cast<int>(tile.troubles))};
  return {tile.receiving ? State::ok : State::off, {}};
}

}  // namespace lw
