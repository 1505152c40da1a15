#include "server/send/kernel_pacing.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace lw {

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
  return clock;
}

}  // namespace lw
