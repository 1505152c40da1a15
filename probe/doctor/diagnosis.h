// Finds problems of this host for a wall, with the command that fixes each. Pure: all input is collected before.
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
  fail,  // does not play
};
std::string_view text(Level level);

// A kernel setting, such as "net.core.rmem_max" = "4194304".
struct Sysctl {
  std::string name;
  std::string value;
};

struct Complaint {
  Level level = Level::ok;
  std::string what;
  std::string needed;
  std::string have;              // the evidence
  std::string mend;              // a command if there is one; empty if ok
  std::optional<Sysctl> sysctl;  // the setting that `mend` changes
};

// The state of the host, and the part of the wall that it has.
struct Patient {
  HostFacts host;
  CpuState cpus;
  std::map<std::string, NicSettings> cards;  // by interface
  std::optional<bool> udp_segment, udp_gro;  // whether the kernel accepts these socket options
  std::optional<Nanoseconds> clock_error;    // absent: the clock is not synchronized
  std::optional<Wall> wall;                  // absent: checks what any wall needs
  std::string server;                        // the server that the host is; empty: none
  std::vector<std::string> nodes;            // the nodes that the host is
};

// The content directories are the disks of `host`. An error if the wall's MTU is too small for one pixel group.
Result<std::vector<Complaint>> diagnose(const Patient& patient);
Level worst(const std::vector<Complaint>& complaints);

nlohmann::json complaints_json(const std::vector<Complaint>& complaints);
std::string complaints_text(const std::vector<Complaint>& complaints);

}  // namespace lw
