// The announcement of a wall by DNS-SD (RFC 6763), by which programs of operators on this network find it.
// docs/security.md lists its contents.
#pragma once

#include "common/wall/wall_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct Announcement {
  static constexpr const char* type = "_lambdawall._tcp";
  static constexpr std::size_t name_bytes_max = 63;  // of a label of DNS

  std::string name;
  std::uint16_t port = 0;
  std::vector<std::string> txt;  // "KEY=VALUE"
  std::string at;                // the numeric address at which the port accepts connections

  bool operator==(const Announcement&) const = default;
};

Announcement announcement_of(const Wall& wall, std::string at, std::uint16_t port);

// Another service has the name already: "Hub", "Hub #2", "Hub #3". `attempt`: from 1 on.
std::string service_name(std::string_view name, unsigned attempt);

}  // namespace lw
