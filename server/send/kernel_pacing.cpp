#include "server/send/kernel_pacing.h"

#include "common/net/datagram_sender.h"
#include "common/net/udp_socket.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace lw {
namespace {

// For etf's clock the kernel requires CAP_NET_ADMIN.
bool takes_departures(clockid_t clock) {
  const auto socket = UdpSocket::bind(Address::any(false, 0));
  return socket && DatagramSender(*socket).carry_departures(clock);
}

}  // namespace

std::optional<clockid_t> departure_clock_of(const Wall& wall, const WallServer& server, unsigned flow,
                                            const std::vector<Nic>& nics) {
  if (wall.streaming.pacing != Pacing::kernel) return {};
  const auto& interfaces = server.interfaces;
  const auto* nic = interfaces.empty() ? nullptr : nic_of_address(nics, interfaces[flow % interfaces.size()]);
  const auto clock = nic != nullptr ? departure_clock(*nic) : std::nullopt;
  if (!clock && flow < std::max<std::size_t>(1, interfaces.size()))  // warn once for each interface
    spdlog::warn(
        "pacing = \"kernel\": {} has the queueing discipline {}, so the flows' threads pace; tc qdisc replace dev {} "
        "root fq",
        nic != nullptr ? nic->name : "the interface", nic != nullptr ? nic->qdisc.value_or("unknown") : "unknown",
        nic != nullptr ? nic->name : "DEVICE");
  if (clock && !takes_departures(*clock)) {
    spdlog::warn(
        "pacing = \"kernel\": the kernel refuses departure times for {}, and etf drops packets without one; give this "
        "program CAP_NET_ADMIN",
        nic->name);
    return {};
  }
  return clock;
}

}  // namespace lw
