#include "wall-control/models/focus.h"

namespace lw {

QString name_of(const Part& part) {
  if (part.flow) return Focus::tr("Tile %1,%2, flow %3").arg(*part.column).arg(*part.row).arg(*part.flow);
  if (part.column) return Focus::tr("Tile %1,%2").arg(*part.column).arg(*part.row);
  return part.node.isEmpty() ? Focus::tr("Whole wall") : Focus::tr("Node %1").arg(part.node);
}

void Focus::show(const Part& part) {
  if (part == part_) return;
  part_ = part;
  emit changed();
}

void Focus::show_line(Scope scope, int index) {
  if (scope == Scope::flow) return show(history_.part_of_flow(index));
  if (scope == Scope::wall || index < 0 || index >= static_cast<int>(history_.tiles().size())) return show({});
  const auto& tile = history_.tiles()[static_cast<std::size_t>(index)];
  show({tile.column, tile.row, {}});
}

void Focus::up() {
  if (part_.flow) return show({part_.column, part_.row, {}});
  if (!part_.column) return show({});
  const auto* tile = history_.tile(*part_.column, *part_.row);
  show(tile != nullptr ? Part{{}, {}, {}, tile->node} : Part{});
}

}  // namespace lw
