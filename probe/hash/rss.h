// Receive-side scaling: which receive queue of a card a UDP flow falls on.
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
  bool ports = true;            // hashed with the addresses; many cards leave them out for UDP unless told
};

// 40 bytes are what IPv6 with ports takes.
inline constexpr std::size_t rss_key_bytes_min = 40;

std::uint32_t rss_hash(const RssSettings& rss, const FlowTuple& flow);

// Of an interface of this host, as `ethtool -x` and `ethtool -n rx-flow-hash` show it.
Result<RssSettings> read_rss(const std::string& interface, bool ipv6);

// As drivers set it up: queues in turn.
std::vector<unsigned> default_table(unsigned queues);
// "6d:5a:56:..." as ethtool prints it, or without the colons; nothing of what is none or too short.
std::optional<std::vector<std::uint8_t>> parse_rss_key(std::string_view text);

}  // namespace lw
