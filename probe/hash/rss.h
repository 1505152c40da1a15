// Receive-side scaling: the receive queue of a card that a UDP flow uses.
#pragma once

#include "probe/hash/flow_tuple.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct RssSettings {
  std::vector<std::uint8_t> key;
  std::vector<unsigned> table;  // the hash's low bits -> queue
  bool ports = true;            // ports are hashed too; many cards do not hash them for UDP unless configured
};

// IPv6 with ports needs 40 bytes.
inline constexpr std::size_t rss_key_bytes_min = 40;

std::uint32_t rss_hash(const RssSettings& rss, const FlowTuple& flow);

// The settings of an interface of this host, as shown by `ethtool -x` and `ethtool -n rx-flow-hash`.
Result<RssSettings> read_rss(const std::string& interface, bool ipv6);

// The usual default of drivers: queues in turn.
std::vector<unsigned> default_table(unsigned queues);
// "6d:5a:56:..." as printed by ethtool, or without colons; empty if it is not a key or too short.
std::optional<std::vector<std::uint8_t>> parse_rss_key(std::string_view text);

}  // namespace lw
