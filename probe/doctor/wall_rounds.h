// Examines every host of a wall: this host directly, the others through the `wall-probe serve` that runs there.
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
// Sorted by address, the servers first. Parts with the same address are one host.
std::vector<HostOfWall> hosts_of(const Wall& wall);

struct HostReport {
  HostOfWall of;
  std::string host;  // empty if the host could not be reached
  std::vector<Complaint> complaints;
};

struct RoundsOptions {
  std::string wall_toml;             // the wall file's text
  std::string wall_name;             // how to name the wall file in errors
  std::vector<std::string> content;  // of this host
  std::uint16_t port = 0;            // of wall-probe serve
  CredentialOptions credentials;
};
// A host that cannot be reached is reported with that as its finding.
Result<std::vector<HostReport>> make_rounds(const RoundsOptions& options, const std::atomic<bool>& stop);

// Answers a "doctor" request in a `wall-probe serve`, with report_json.
Result<nlohmann::json> answer_doctor(const nlohmann::json& params);

}  // namespace lw
