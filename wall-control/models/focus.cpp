#include "wall-control/models/focus.h"

namespace lw {

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
