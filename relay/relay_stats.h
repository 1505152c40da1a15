// What a relay counts of a flow: totals since it was started.
#pragma once

#include <cstdint>
#include <optional>

namespace lw {

struct RelayStats {
  std::uint64_t packets = 0;        // from the server that were forwarded: media, parity and resends
  std::uint64_t bytes = 0;          // their UDP payload
  std::uint64_t send_errors = 0;    // packets that the kernel refused, or had no room for
  std::uint64_t invalid = 0;        // datagrams from the server's host that are not RTP
  std::uint64_t receive_calls = 0;  // system calls for media
  std::uint64_t send_calls = 0;
  std::uint32_t kept_out = 0;  // datagrams that the kernel dropped: from other hosts, or the socket was full; wraps
  std::optional<std::uint64_t> lost;      // of the server's stream, by sequence number; absent if packets are encrypted
  std::optional<std::uint64_t> repeated;  // packets that the other server had sent; absent unless there are two
  std::uint64_t resends_asked = 0;        // packets that the site's node requested from the relay
  std::uint64_t resent = 0;               // of these, those that it resent
  std::uint64_t resends_refused = 0;      // of these, those beyond the site's budget
  std::uint64_t resends_passed = 0;       // of these, those that it does not have, and requested from the server
  std::uint64_t rtcp_refused = 0;  // RTCP packets that were not forwarded: malformed, too many, or from elsewhere
};

}  // namespace lw
