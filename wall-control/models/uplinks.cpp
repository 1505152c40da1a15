#include "wall-control/models/uplinks.h"

#include "wall-control/models/machines.h"

#include <algorithm>
#include <set>

namespace lw {

Uplinks uplinks_of(const Machines& machines, const FlowHistory& history) {
  Uplinks uplinks;
  double sum = 0;
  bool all_known = true;
  for (const auto& machine : machines.all()) {
    if (!machine.server) continue;
    std::set<QString> used;
    for (const auto& flow : machine.flows) {
      if (flow.card.isEmpty()) continue;
      used.insert(flow.card);
      const auto row = std::ranges::find(history.flows(), flow.flow, &FlowRow::flow);
      if (row != history.flows().end()) uplinks.card_of_node[row->node] = flow.card;
    }
    for (const auto& card : machine.cards) {
      if (!used.contains(card.name)) continue;
      ++uplinks.cards;
      sum += card.gbit_per_s.value_or(0);
      all_known = all_known && card.gbit_per_s > 0;
    }
  }
  if (uplinks.cards > 0 && all_known) uplinks.gbit_per_s = sum;
  return uplinks;
}

}  // namespace lw
