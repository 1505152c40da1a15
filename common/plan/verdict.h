// Compares needs with what the host has, finding by finding.
#pragma once

#include "common/host/host_facts.h"
#include "common/messages/plan_reply.h"
#include "common/plan/placement.h"
#include "common/plan/requirements.h"
#include "common/wall/wall_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace lw {

std::string_view text(Verdict verdict);

struct Finding {
  Verdict verdict = Verdict::ok;
  std::string what;    // "interface 10.1.0.1 (enp59s0)"
  std::string needed;  // "9.1 Gbit/s"
  std::string have;    // "10 Gbit/s"
  std::string mend;    // empty if ok
};

// Judges only known facts: a link rate that the host does not report causes no finding.
std::vector<Finding> judge(const Wall& wall, const Requirements& needs, const std::vector<FlowPlacement>& placement,
                           const HostFacts& host);
// For one of the wall's nodes, on its own host.
std::vector<Finding> judge_node(const Wall& wall, const Requirements& needs, const NodeNeed& node,
                                const HostFacts& host);
// What the busiest core sends while a frame is sent, and what the plan counts with. Hardware threads share their core's
// rate; a flow whose core is not known has one to itself.
struct CoreLoad {
  BitRate rate;
  BitRate planned;
  [[nodiscard]] bool is_close() const;  // to the limit
};
CoreLoad busiest_core(const Wall& wall, const Requirements& needs, const std::vector<FlowPlacement>& placement,
                      const HostFacts& host);

// Whether a finding about anything but the cores has a worse verdict than before, or is new and not ok.
bool makes_worse(const std::vector<Finding>& before, const std::vector<Finding>& after);
Verdict worst(const std::vector<Finding>& findings);

}  // namespace lw
