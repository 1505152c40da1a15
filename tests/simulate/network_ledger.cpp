#include "tests/simulate/network_ledger.h"

#include <fmt/format.h>

#include <utility>

namespace lw::simulate {

void NetworkLedger::compare(const Server& server, const std::vector<std::unique_ptr<Node>>& nodes,
                            const Network& network) {
  const auto changes = network.changes_of_length();
  const bool is_known = std::exchange(changes_before_, changes) == changes;
  for (const auto& node : nodes)
    for (const auto& received : node->flow_stats()) {
      const auto sent = server.flow_stats(received.flow);
      const Totals now{server.process(), node->process(), sent.ssrc, sent.packets + sent.send_errors + sent.not_sent,
                       received.arrived + received.lost};
      const auto before = std::exchange(before_[received.flow], now);
      const bool same = before.server_process == now.server_process && before.node_process == now.node_process &&
                        received.ssrc == now.ssrc;
      if (received.ssrc != now.ssrc) before_.erase(received.flow);
      if (same && is_known && now.sent - before.sent != now.expected - before.expected)
        on_break_(
            fmt::format("packets + send_errors + not_sent = arrived + lost: flow {} sent {}, and its node counts {}",
                        received.flow, now.sent - before.sent, now.expected - before.expected));
    }
}

}  // namespace lw::simulate
