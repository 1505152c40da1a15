// Finds problems of this host for a wall, with the command that fixes each. Pure: all input is collected beforehand.
#pragma once

#include "common/base/units.h"
#include "common/host/cpu_state.h"
#include "common/host/ethtool.h"
#include "common/host/host_facts.h"
#include "common/wall/wall_file.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

enum class Level : std::uint8_t {
  ok,
  warn,  // plays, but less well than it could, or near a limit
  fail,  // does not play as it is
};
std::string_view text(Level level);

// A kernel setting, "net.core.rmem_max" = "4194304".
struct Sysctl {
  std::string name;
  std::string value;
};

struct Complaint {
  Level level = Level::ok;
  std::string what;
  std::string needed;
  std::string have;              // the evidence
  std::string mend;              // a command where there is one; empty where ok
  std::optional<Sysctl> sysctl;  // that does what `mend` says
};

// What there is to judge: of the host, and as which part of the wall it is judged.
struct Patient {
  HostFacts host;
  CpuState cpus;
  std::map<std::string, NicSettings> cards;  // by interface
  std::optional<bool> udp_segment, udp_gro;  // the kernel takes these socket options
  std::optional<Nanoseconds> clock_error;    // absent: nobody keeps the clock
  std::optional<Wall> wall;                  // absent: what any wall wants
  bool server = false;                       // it is the wall's server
  std::vector<std::string> nodes;            // it is these nodes
};

// Directories of content are the disks of `host`. Error if the wall's MTU does not hold one pixel group.
Result<std::vector<Complaint>> diagnose(const Patient& patient);
Level worst(const std::vector<Complaint>& complaints);

nlohmann::json complaints_json(const std::vector<Complaint>& complaints);
std::string complaints_text(const std::vector<Complaint>& complaints);

}  // namespace lw
