// The doctor's rounds: every host of a wall, this one by itself, the others by the `wall-probe serve` that runs there.
#pragma once

#include "common/access/credentials.h"
#include "common/base/result.h"
#include "probe/doctor/examination.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace lw {

struct HostOfWall {
  std::string address;
  WallParts parts;
};
// By address, the server first; what has one address is one host.
std::vector<HostOfWall> hosts_of(const Wall& wall);

struct HostReport {
  HostOfWall of;
  std::string host;  // its name; empty where it was not reached
  std::vector<Complaint> complaints;
};

struct RoundsOptions {
  std::string wall_toml;  // the wall file's text, and what to call it
  std::string wall_name;
  std::vector<std::string> content;  // of this host
  std::uint16_t port = 0;            // of wall-probe serve
  CredentialOptions credentials;
};
// A host that cannot be asked is a report with that finding.
Result<std::vector<HostReport>> make_rounds(const RoundsOptions& options, const std::atomic<bool>& stop);

// What a `wall-probe serve` is asked ("doctor"), and answers with report_json.
Result<nlohmann::json> answer_doctor(const nlohmann::json& params);

}  // namespace lw
