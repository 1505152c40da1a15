#include "wall-control/models/focus.h"

#include "wall-control/ui/counts.h"
#include "wall-control/ui/tile_names.h"

#include <algorithm>

namespace lw {

QString name_of(const Part& part) {
  if (part.flow) return with_tile(Focus::tr("Tile %1,%2, flow %3"), *part.column, *part.row).arg(*part.flow);
  if (!part.others.empty()) return counts::tiles(static_cast<qint64>(part.others.size()) + 1);
  if (part.column) return with_tile(Focus::tr("Tile %1,%2"), *part.column, *part.row);
  return part.node.isEmpty() ? Focus::tr("Whole wall") : Focus::tr("Node %1").arg(part.node);
}

void Focus::show(const Part& part) {
  if (part == part_) return;
  part_ = part;
  emit changed();
}

Focus::Tiles Focus::tiles() const {
  Tiles all;
  if (part_.column && part_.row) all.emplace_back(*part_.column, *part_.row);
  all.insert(all.end(), part_.others.begin(), part_.others.end());
  return all;
}

void Focus::show_tiles(const Tiles& tiles) {
  auto known = tiles;
  std::erase_if(known, [&](const auto& place) { return history_.tile(place.first, place.second) == nullptr; });
  if (known.empty()) return show({});
  const auto current = known.front();
  std::erase(known, current);
  std::ranges::sort(known);
  const auto repeated = std::ranges::unique(known);
  known.erase(repeated.begin(), repeated.end());
  Part part{current.first, current.second, {}};
  part.others = std::move(known);
  show(part);
}

void Focus::toggle_tile(int column, int row) {
  auto all = tiles();
  const bool was_selected = std::erase(all, std::pair{column, row}) > 0;
  if (!was_selected) all.insert(all.begin(), {column, row});
  show_tiles(all);
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
  const bool of_one_node = tile != nullptr && std::ranges::all_of(part_.others, [&](const auto& place) {
                             const auto* other = history_.tile(place.first, place.second);
                             return other != nullptr && other->node == tile->node;
                           });
  show(of_one_node ? Part{{}, {}, {}, tile->node} : Part{});
}

}  // namespace lw
