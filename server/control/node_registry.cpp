#include "server/control/node_registry.h"

namespace lw {

std::map<unsigned, unsigned> NodeState::cpus() const {
  std::map<unsigned, unsigned> cpus;
  if (!report) return cpus;
  for (const auto& flow : report->flows)
    if (flow.cpu && *flow.cpu >= 0) cpus[flow.flow] = static_cast<unsigned>(*flow.cpu);
  return cpus;
}

NodeRegistry::NodeRegistry(const Wall& wall, EventLog& events) : events_(events), of_tile_(wall.tile_count()) {
  for (const auto& node : wall.nodes) {
    const auto added = nodes_.emplace(node.name, NodeState{}).first;
    for (const auto& placement : node.tiles) of_tile_[placement.tile.value] = added;
  }
}

NodeState* NodeRegistry::find(std::string_view name) {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : &found->second;
}

NodeRegistry::Nodes::value_type* NodeRegistry::of(const WebPeer* peer) {
  const auto found = of_peer_.find(peer);
  return found == of_peer_.end() ? nullptr : &*found->second;
}

NodeState& NodeRegistry::connect(const std::string& name, WebPeer& peer, bool same_host, const Moment& now) {
  const auto node = nodes_.find(name);
  auto& state = node->second;
  if (auto* const before = state.peer; before != nullptr && before != &peer) {
    events_.add({Severity::warning,
                 "node-replaced",
                 "node " + name + " connected a second time; the new connection replaces the old one",
                 {},
                 {}},
                now, name);
    of_peer_.erase(before);
    before->close("replaced by another connection of this node");
  }
  state = {&peer, std::nullopt, now.local, SilenceWatch(now.local), same_host, std::nullopt, {}};
  of_peer_[&peer] = node;
  return state;
}

void NodeRegistry::disconnect(const WebPeer& peer, const Moment& now) {
  const auto found = of_peer_.find(&peer);
  if (found == of_peer_.end()) return;
  auto& [name, node] = *found->second;
  of_peer_.erase(found);
  node.peer = nullptr;
  node.machine.reset();
  node.report.reset();  // its figures are history, not the state of a tile
  events_.add({Severity::warning, "node-lost", "node " + name + " is gone: its connection closed", {}, {}}, now, name);
}

// Each is disconnected when its connection has closed.
void NodeRegistry::send_away(const std::string& reason) {
  for (const auto& [name, node] : nodes_)
    if (node.peer != nullptr) node.peer->close(reason);
}

void NodeRegistry::hear(const WebPeer& peer, const Moment& now) {
  auto* const known = of(&peer);
  if (known == nullptr || !known->second.silence.heard(now.local)) return;
  events_.add({Severity::info, "node-reports", "node " + known->first + " reports again", {}, {}}, now, known->first);
}

void NodeRegistry::look_for_silence(const Moment& now) {
  for (auto& [name, node] : nodes_)
    if (node.peer != nullptr && node.silence.look(now.local))
      events_.add({Severity::warning,
                   "node-silent",
                   "node " + name + " is connected, but has sent nothing for a second",
                   {},
                   {}},
                  now, name);
}

}  // namespace lw
