// How evenly a flow's packets leave: FlowSender paced over the frame interval, packets received one by one with the
// kernel's timestamps, judged by ST 2110-21. On loopback the packets of one segmented send arrive at one instant, as
// they leave a card at line rate.
#pragma once

#include "bench/flow_load.h"

namespace lw::bench {

struct SpacingLoad {
  FlowLoad flow;  // its frame rate follows from the other settings
  std::chrono::microseconds spin{100};
};

Result<Report> run(const SpacingLoad& load);

}  // namespace lw::bench
