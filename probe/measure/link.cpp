#include "probe/measure/link.h"

#include "common/host/nic.h"
#include "common/net/udp_socket.h"

#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>

#include <cstdint>

namespace lw {
namespace {

constexpr std::uint16_t discard_port = 9;  // nothing is sent there

Link link_named(const std::string& interface, const UdpSocket& socket) {
  Link link;
  ifreq request{};
  interface.copy(request.ifr_name, IFNAMSIZ - 1);
  if (ioctl(socket.fd(), SIOCGIFHWADDR, &request) == 0) link.ethernet = request.ifr_hwaddr.sa_family == ARPHRD_ETHER;
  if (ioctl(socket.fd(), SIOCGIFMTU, &request) == 0) link.mtu = static_cast<unsigned>(request.ifr_mtu);
  return link;
}

}  // namespace

std::optional<Link> link_of(const std::string& address) {
  const auto wanted = Address::parse(address, 0);
  const auto socket = UdpSocket::bind(Address::any(false, 0));
  if (!wanted || !socket) return {};
  for (const auto& [interface, own] : interface_addresses())
    if (const auto parsed = Address::parse(own, 0); parsed && parsed->same_host(*wanted))
      return link_named(interface, *socket);
  return {};
}

std::optional<std::string> address_towards(const std::string& host) {
  const auto peer = Address::parse(host, discard_port);
  if (!peer) return {};
  const auto socket = UdpSocket::bind(Address::any(peer->is_ipv6(), 0));
  if (!socket || !socket->connect(*peer)) return {};
  return socket->local_address().host();
}

}  // namespace lw
