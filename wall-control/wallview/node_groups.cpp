#include "wall-control/wallview/node_groups.h"

#include <algorithm>

namespace lw {

std::vector<NodeGroup> node_groups(const FlowHistory& history) {
  std::vector<NodeGroup> groups;
  const auto group_of = [&](const QString& node) {
    const auto found = std::ranges::find(groups, node, &NodeGroup::name);
    return found != groups.end() ? found : groups.insert(groups.end(), NodeGroup{node, {}, 0, 0, {}, false, false});
  };
  for (const auto& tile : history.tiles()) {
    const auto group = group_of(tile.node);
    group->cells |= QRect(tile.column, tile.row, 1, 1);
    ++group->tiles;
    group->places.emplace_back(tile.column, tile.row);
  }
  for (const auto& flow : history.flows()) ++group_of(flow.node)->flows;
  for (auto& group : groups) {
    group.contiguous = group.tiles == group.cells.width() * group.cells.height();
    group.alone = group.contiguous && std::ranges::none_of(groups, [&](const NodeGroup& other) {
                    return &other != &group && other.cells.left() <= group.cells.right() &&
                           group.cells.left() <= other.cells.right();
                  });
  }
  std::ranges::stable_sort(groups, {}, [](const NodeGroup& group) {
    return std::pair{group.cells.left(), group.cells.top()};
  });
  return groups;
}

}  // namespace lw
