#include "server/send/site_paths.h"

#include "common/net/multicast.h"
#include "common/plan/buffers.h"
#include "common/wall/site.h"

#include <cassert>
#include <memory>
#include <utility>

namespace lw {
namespace {

// check_sites has found all addresses of sites to be valid.
Address at(const std::string& host, std::uint16_t port) {
  const auto address = Address::parse(host, port);
  assert(address.has_value());
  return *address;
}

class SitePaths {
public:
  SitePaths(const Wall& wall, const WallServer& server, const Band& band, std::vector<SenderPorts::Path>& paths)
      : wall_(wall), server_(server), band_(band), port_(media_port(wall, band.flow)), paths_(paths) {}

  Result<void> open(unsigned number) {
    const auto& site = wall_.sites[number];
    if (site.has_relay()) return open_relay(number);
    return is_served_before(wall_, site) ? Result<void>() : open_group(number);
  }

private:
  Result<void> open_relay(unsigned number) {
    const auto& site = wall_.sites[number];
    const auto from = at(leaves_by(server_, site, band_.flow), 0);
    const auto to = at(site.address, port_);
    auto media = UdpSocket::bind(from);
    if (!media) return media.error();
    auto control = UdpSocket::bind(from);
    if (!control) return control.error();
    if (const auto ready = prepare(site, *media, to); !ready) return ready;
    if (const auto ready = prepare(site, *control, to.with_next_port()); !ready) return ready;
    [[maybe_unused]] const auto granted = media->grow_send_buffer(server_send_buffer);
    add(std::move(*media), std::move(*control), PathEnd::relay, number);
    return {};
  }

  // The sockets of a group and of its members have the same addresses: members see one source, and the kernel sorts
  // what members send by their addresses, so that a flood from one does not fill the buffer for another.
  Result<void> open_group(unsigned number) {
    const auto& site = wall_.sites[number];
    const auto from = at(leaves_by(server_, site, band_.flow), 0);
    const auto group = group_of(site, band_.flow, port_);
    auto media = UdpSocket::bind(from, true);
    if (!media) return media.error();
    auto control = UdpSocket::bind(from, true);
    if (!control) return control.error();
    for (const auto* socket : {&*media, &*control})
      if (const auto set = send_multicast_from(*socket, from, site.ttl); !set) return set;
    if (const auto ready = prepare(site, *media, group); !ready) return ready;
    if (const auto ready = prepare(site, *control, group.with_next_port()); !ready) return ready;
    [[maybe_unused]] const auto granted = media->grow_send_buffer(server_send_buffer);
    const auto media_from = media->local_address();
    const auto control_from = control->local_address();
    add(std::move(*media), std::move(*control), PathEnd::group, number);
    for (unsigned member = number; member < wall_.sites.size(); ++member)
      if (share_group(site, wall_.sites[member]))
        if (const auto opened = open_member(member, media_from, control_from); !opened) return opened;
    return {};
  }

  Result<void> open_member(unsigned number, const Address& media_from, const Address& control_from) {
    const auto& site = wall_.sites[number];
    const auto to = at(node_showing(site.nodes, band_.tile).address, port_);
    auto media = UdpSocket::bind(media_from, true);
    if (!media) return media.error();
    auto control = UdpSocket::bind(control_from, true);
    if (!control) return control.error();
    if (const auto ready = prepare(site, *media, to); !ready) return ready;
    if (const auto ready = prepare(site, *control, to.with_next_port()); !ready) return ready;
    add(std::move(*media), std::move(*control), PathEnd::member, number);
    return {};
  }

  static Result<void> prepare(const WallSite& site, const UdpSocket& socket, const Address& to) {
    if (const auto connected = socket.connect(to); !connected) return connected;
    if (const auto set = socket.set_nonblocking(); !set) return set;
    return site.dscp != 0 ? socket.set_dscp(site.dscp, to.is_ipv6()) : Result<void>();
  }

  void add(UdpSocket media, UdpSocket control, PathEnd end, unsigned site) {
    control.stamp_arrivals();
    paths_.push_back({std::make_unique<SocketPort>(std::move(media)), std::make_unique<SocketPort>(std::move(control)),
                      end, site, wall_.sites[site].resend_percent});
  }

  const Wall& wall_;
  const WallServer& server_;
  const Band band_;
  const std::uint16_t port_;
  std::vector<SenderPorts::Path>& paths_;
};

}  // namespace

Result<void> open_site_paths(const Wall& wall, const WallServer& server, const Band& band,
                             std::vector<SenderPorts::Path>& paths) {
  SitePaths opening(wall, server, band, paths);
  for (unsigned site = 0; site < wall.sites.size(); ++site)
    if (const auto opened = opening.open(site); !opened)
      return Error(opened.error()).in("site '" + wall.sites[site].name + "'");
  return {};
}

}  // namespace lw
