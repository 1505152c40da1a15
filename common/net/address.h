// A numeric IPv4 or IPv6 address with a port. Names are never resolved, so that a wall does not depend on DNS.
#pragma once

#include "common/base/result.h"

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lw {

// Splits "127.0.0.1:5000" and "[::1]:5000" into the host without brackets and the part after the last colon; empty
// without a colon. Does not check whether these are an address and a port.
struct HostAndPort {
  std::string host;
  std::string port;
};
std::optional<HostAndPort> split_host_port(std::string_view text);

class Address {
public:
  static Result<Address> parse(const std::string& host, std::uint16_t port);
  static Address any(bool ipv6, std::uint16_t port);
  static Address from(const sockaddr_storage& raw) { return Address(raw); }

  [[nodiscard]] const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  [[nodiscard]] socklen_t raw_bytes() const;
  [[nodiscard]] bool is_ipv6() const { return storage_.ss_family == AF_INET6; }
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] Address with_port(std::uint16_t port) const;
  // Of RTCP, if this is that of media (RFC 3550 section 11).
  [[nodiscard]] Address with_next_port() const { return with_port(static_cast<std::uint16_t>(port() + 1)); }
  [[nodiscard]] std::span<const std::byte> host_bytes() const;  // 4 or 16, as in a packet
  [[nodiscard]] bool same_host(const Address& other) const;
  bool operator==(const Address& other) const { return same_host(other) && port() == other.port(); }
  [[nodiscard]] std::string host() const;  // "127.0.0.1", "::1"
  [[nodiscard]] std::string text() const;  // "127.0.0.1:5000", "[::1]:5000"

private:
  explicit Address(const sockaddr_storage& raw) : storage_(raw) {}
  sockaddr_storage storage_{};
};

}  // namespace lw
