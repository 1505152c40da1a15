// The result of a capacity measurement (RFC 9097 sections 6.6 and 9), in the form of other results of wall-probe
// (docs/schema/).
#pragma once

#include "probe/capacity/capacity_report.h"
#include "probe/capacity/capacity_spec.h"

#include <nlohmann/json.hpp>

#include <string>

namespace lw {

struct CapacityOutcome {
  CapacitySent sent;
  CapacityReceived received;
  bool ipv6 = false;
  std::string to;     // the server, as it was called
  std::string began;  // UTC, ISO 8601
};

nlohmann::json capacity_result(const CapacitySpec& spec, const CapacityOutcome& outcome);
std::string capacity_text(const nlohmann::json& result);

}  // namespace lw
