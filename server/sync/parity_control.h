// Decides which flows send parity, for all servers of a wall ([streaming] fec = "auto"): those whose server wants it,
// because packets are lost that resends cannot replace (flow_sender). The others learn of it with the line. Pure;
// one thread.
#pragma once

#include "common/base/units.h"
#include "server/send/parity_switch.h"

#include <map>
#include <optional>
#include <set>

namespace lw {

// By flow; absent: never switched on.
using ParitySwitches = std::map<unsigned, ParitySwitch>;

class ParityControl {
public:
  // `from`: frames due before the first one for which all servers hear of a decision in time. True: something changed.
  bool step(const std::set<unsigned>& wanted, const FrameCounts& from, LocalTime now);
  // As another server has decided.
  void keep_to(ParitySwitches switches) { switches_ = std::move(switches); }
  [[nodiscard]] const ParitySwitches& switches() const { return switches_; }
  [[nodiscard]] ParitySwitch of(unsigned flow) const;

private:
  ParitySwitches switches_;
  std::map<unsigned, LocalTime> changed_;
};

}  // namespace lw
