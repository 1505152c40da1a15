// This host, read and judged.
#pragma once

#include "common/base/result.h"
#include "probe/doctor/diagnosis.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lw {

// As what of the wall the host is looked at; of neither: as all whose addresses it has.
struct WallParts {
  bool server = false;
  std::vector<std::string> nodes;
};

struct Examination {
  Patient patient;
  std::vector<Complaint> complaints;
};

// `content`: directories that are played from.
Result<Examination> examine(std::optional<Wall> wall, const WallParts& as, const std::vector<std::string>& content);
// {"host", "level", "findings", and of a wall "wall", "server", "nodes"}
nlohmann::json report_json(const Examination& examination);

}  // namespace lw
