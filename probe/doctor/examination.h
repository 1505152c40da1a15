// Collects the state of this host and diagnoses it.
#pragma once

#include "common/base/result.h"
#include "probe/doctor/diagnosis.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lw {

// The parts of the wall for which the host is examined; if neither is set, all parts whose addresses it has.
struct WallParts {
  std::string server;  // its name; empty: none
  std::vector<std::string> nodes;
};

struct Examination {
  Patient patient;
  std::vector<Complaint> complaints;
};

// `content`: directories from which visualizations are played.
Result<Examination> examine(std::optional<Wall> wall, const WallParts& as, const std::vector<std::string>& content);
// {"host", "level", "findings"}, and for a wall "wall", "server", "nodes"
nlohmann::json report_json(const Examination& examination);
// All facts about the host (host_json), with full paths.
nlohmann::json facts_json(const Examination& examination);

}  // namespace lw
