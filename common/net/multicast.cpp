#include "common/net/multicast.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <boost/endian/conversion.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#ifndef IPV6_MULTICAST_ALL
#define IPV6_MULTICAST_ALL 29
#endif

namespace lw {
namespace {

unsigned byte_of(const Address& address, std::size_t index) {
  return std::to_integer<unsigned>(address.host_bytes()[index]);
}

// The kernel's number of the interface that has this address.
std::optional<unsigned> interface_of(const Address& local) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, &freeifaddrs);
  for (const auto* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != (local.is_ipv6() ? AF_INET6 : AF_INET)) continue;
    sockaddr_storage raw{};
    std::memcpy(&raw, one->ifa_addr, local.raw_bytes());
    if (Address::from(raw).same_host(local)) return if_nametoindex(one->ifa_name);
  }
  return {};
}

Result<unsigned> required_interface(const Address& local) {
  const auto index = interface_of(local);
  if (index) return *index;
  return Error{"no interface of this host has the address " + local.with_port(0).text(), "correct it in the wall file"};
}

bool set(const UdpSocket& socket, int level, int option, int value) {
  return setsockopt(socket.fd(), level, option, &value, sizeof(value)) == 0;
}

}  // namespace

bool is_multicast(const Address& address) {
  return address.is_ipv6() ? byte_of(address, 0) == 0xff : byte_of(address, 0) >> 4U == 0xe;
}

bool is_source_specific(const Address& address) {
  if (address.is_ipv6())
    return byte_of(address, 0) == 0xff && byte_of(address, 1) >> 4U == 3 && byte_of(address, 2) == 0 &&
           byte_of(address, 3) == 0;
  // The first 256 are reserved.
  return byte_of(address, 0) == 232 && (byte_of(address, 1) != 0 || byte_of(address, 2) != 0);
}

Address address_after(const Address& first, unsigned count) {
  sockaddr_storage raw{};
  std::memcpy(&raw, first.raw(), first.raw_bytes());
  auto* bytes = first.is_ipv6() ? reinterpret_cast<sockaddr_in6*>(&raw)->sin6_addr.s6_addr + 12
                                : reinterpret_cast<std::uint8_t*>(&reinterpret_cast<sockaddr_in*>(&raw)->sin_addr);
  boost::endian::store_big_u32(bytes, boost::endian::load_big_u32(bytes) + count);
  return Address::from(raw);
}

Result<void> send_multicast_from(const UdpSocket& socket, const Address& local, unsigned ttl) {
  const auto index = required_interface(local);
  if (!index) return index.error();
  bool done = false;
  if (local.is_ipv6()) {
    done = set(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(*index)) &&
           set(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, static_cast<int>(ttl));
  } else {
    ip_mreqn from{};
    from.imr_ifindex = static_cast<int>(*index);
    done = setsockopt(socket.fd(), IPPROTO_IP, IP_MULTICAST_IF, &from, sizeof(from)) == 0 &&
           set(socket, IPPROTO_IP, IP_MULTICAST_TTL, static_cast<int>(ttl));
  }
  if (done) return {};
  return Error{"cannot send multicast from " + local.with_port(0).text() + ": " + std::strerror(errno),
               "switch multicast on at its interface (ip link set dev ... multicast on)"};
}

Result<void> join_group(const UdpSocket& socket, const Address& group, const Address& source, const Address& local) {
  const auto index = required_interface(local);
  if (!index) return index.error();
  const int level = group.is_ipv6() ? IPPROTO_IPV6 : IPPROTO_IP;
  set(socket, level, group.is_ipv6() ? IPV6_MULTICAST_ALL : IP_MULTICAST_ALL, 0);
  group_source_req request{};
  request.gsr_interface = *index;
  std::memcpy(&request.gsr_group, group.raw(), group.raw_bytes());
  std::memcpy(&request.gsr_source, source.raw(), source.raw_bytes());
  if (setsockopt(socket.fd(), level, MCAST_JOIN_SOURCE_GROUP, &request, sizeof(request)) == 0) return {};
  return Error{"cannot join the group " + group.with_port(0).text() + " of " + source.with_port(0).text() + ": " +
                   std::strerror(errno),
               errno == ENOBUFS ? "allow more groups: sysctl net.ipv4.igmp_max_memberships and igmp_max_msf"
                                : "check that multicast is on at its interface (ip link)"};
}

}  // namespace lw
