// The identities and bounds of a flow's ledger that hold in every report (docs/metrics.md, "The ledger").
#pragma once

#include "common/metrics/flow_stats.h"

#include <string_view>

namespace lw {

// The first law that these figures break; empty: none.
inline std::string_view broken_law(const ReceiverFlowStats& stats) {
  if (stats.packets != stats.used + stats.duplicates + stats.late + stats.invalid + stats.parity)
    return "packets = used + duplicates + late + invalid + parity";
  if (stats.in_place > stats.used) return "in_place <= used";
  if (stats.second_path.value_or(0) > stats.packets) return "second_path <= packets";
  if (stats.card_stamped.value_or(0) > stats.packets) return "card_stamped <= packets";
  if (stats.used > stats.arrived + stats.repaired) return "used <= arrived + repaired";
  if (stats.arrived + stats.resent + stats.parity > stats.packets) return "arrived + resent + parity <= packets";
  if (stats.repaired > stats.resent) return "repaired <= resent";
  if (stats.repaired > stats.resends_asked) return "repaired <= resends_asked";
  if (stats.repaired + stats.rebuilt > stats.lost + stats.late) return "repaired + rebuilt <= lost + late";
  if (stats.reordered > stats.arrived) return "reordered <= arrived";
  // Parity also reveals missing packets, and packets that it overtook do not count as reordered.
  if (stats.parity == 0 && stats.lost_settled > stats.lost + stats.reordered) return "lost_settled <= lost + reordered";
  if (stats.kernel_drops.value_or(0) > stats.lost) return "kernel_drops <= lost";
  if (stats.kernel_drops_settled.value_or(0) > stats.lost_settled) return "kernel_drops_settled <= lost_settled";
  if (stats.parity_drops.value_or(0) > stats.parity_lost) return "parity_drops <= parity_lost";
  if (stats.resend_drops.value_or(0) > stats.resends_lost) return "resend_drops <= resends_lost";
  if (stats.loss_runs > stats.lost_settled || stats.loss_run_max > stats.lost_settled)
    return "loss_runs <= lost_settled, loss_run_max <= lost_settled";
  if (stats.unauthentic.value_or(0) > stats.invalid) return "unauthentic <= invalid";
  return {};
}

}  // namespace lw
