// server.library: what a server's library has, for the coordinator of a wall with several servers, which asks for it
// page by page. docs/protocol.md describes the exchange.
#pragma once

#include "common/messages/rules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// A visualization of this name in a server's content directories.
struct ServerVisualization {
  std::string name;
  std::string digest;  // of its frames (common/store/store_digest.h); empty if they cannot be read
  bool fits = false;   // the server can send its tiles from it
  std::string reason;  // why not, and how to fix it

  static constexpr std::size_t reason_bytes_max = 512;
  static constexpr bool closed = false;
  static void members(auto& entry, auto& visit) {
    visit("name", entry.name);
    visit("digest", entry.digest, MayBeAbsent{});
    visit("fits", entry.fits);
    visit("reason", entry.reason, MayBeAbsent{});
  }
  bool operator==(const ServerVisualization&) const = default;
};

struct ServerLibraryReply {
  std::uint64_t revision = 0;                       // of the list; grows with each change
  std::vector<ServerVisualization> visualizations;  // sorted by name
  bool more = false;                                // ask for those after the last name

  static constexpr std::size_t entries_max = 500;
  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("revision", reply.revision);
    visit("visualizations", reply.visualizations, AtMost{entries_max});
    visit("more", reply.more, MayBeAbsent{});
  }
  bool operator==(const ServerLibraryReply&) const = default;
};

}  // namespace lw
