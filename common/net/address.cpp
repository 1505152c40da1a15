#include "common/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <cstring>

namespace lw {
namespace {

const sockaddr_in& v4(const sockaddr_storage& raw) { return reinterpret_cast<const sockaddr_in&>(raw); }
const sockaddr_in6& v6(const sockaddr_storage& raw) { return reinterpret_cast<const sockaddr_in6&>(raw); }

}  // namespace

std::optional<HostAndPort> split_host_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return HostAndPort{std::string(host), std::string(text.substr(colon + 1))};
}

Result<Address> Address::parse(const std::string& host, std::uint16_t port) {
  sockaddr_storage raw{};
  auto& four = reinterpret_cast<sockaddr_in&>(raw);
  auto& six = reinterpret_cast<sockaddr_in6&>(raw);
  if (inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
  } else if (inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
  } else {
    return Error{"'" + host + "' is not a numeric IPv4 or IPv6 address",
                 "write the address as numbers, like 192.0.2.7"};
  }
  return Address(raw);
}

Address Address::any(bool ipv6, std::uint16_t port) { return parse(ipv6 ? "::" : "0.0.0.0", port).value(); }

socklen_t Address::raw_bytes() const { return is_ipv6() ? sizeof(sockaddr_in6) : sizeof(sockaddr_in); }

std::uint16_t Address::port() const { return ntohs(is_ipv6() ? v6(storage_).sin6_port : v4(storage_).sin_port); }

Address Address::with_port(std::uint16_t port) const {
  auto raw = storage_;
  if (is_ipv6())
    reinterpret_cast<sockaddr_in6&>(raw).sin6_port = htons(port);
  else
    reinterpret_cast<sockaddr_in&>(raw).sin_port = htons(port);
  return Address(raw);
}

std::span<const std::byte> Address::host_bytes() const {
  return is_ipv6() ? std::as_bytes(std::span(&v6(storage_).sin6_addr, 1))
                   : std::as_bytes(std::span(&v4(storage_).sin_addr, 1));
}

bool Address::same_host(const Address& other) const {
  if (storage_.ss_family != other.storage_.ss_family) return false;
  if (is_ipv6()) return std::memcmp(&v6(storage_).sin6_addr, &v6(other.storage_).sin6_addr, sizeof(in6_addr)) == 0;
  return v4(storage_).sin_addr.s_addr == v4(other.storage_).sin_addr.s_addr;
}

std::string Address::host() const {
  std::array<char, INET6_ADDRSTRLEN> host{};
  const void* bytes = is_ipv6() ? static_cast<const void*>(&v6(storage_).sin6_addr) : &v4(storage_).sin_addr;
  inet_ntop(storage_.ss_family, bytes, host.data(), host.size());
  return host.data();
}

std::string Address::text() const { return (is_ipv6() ? "[" + host() + "]" : host()) + ":" + std::to_string(port()); }

}  // namespace lw
