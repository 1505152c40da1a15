// The nodes of the wall file: their connections, their newest reports, and whether one is silent. Control thread
// only.
#pragma once

#include "common/messages/machine.h"
#include "common/messages/node_tables.h"
#include "common/wall/wall_file.h"
#include "common/web/web_server.h"
#include "server/control/event_log.h"
#include "server/control/silence_watch.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct NodeState {
  WebPeer* peer = nullptr;                    // null: not connected
  std::optional<NodeReport> report;           // the newest
  LocalTime reported{};                       // when hello or the newest report arrived
  SilenceWatch silence;                       // of all messages from the node
  bool same_host = false;                     // it runs on the server's kernel, so both have the same clock
  std::optional<MachineMessage> machine;      // facts about its host
  std::map<unsigned, unsigned> planned_cpus;  // of its flows, from its first report
  std::uint64_t records_dropped = 0;
  NodeTablesReceiver tables = {};  // of this connection
  LocalTime full_asked{};          // when a full report was last requested

  // Whether it is connected, and has reported within the last second.
  [[nodiscard]] bool reports() const { return peer != nullptr && report && !silence.is_silent(); }

  // From the node's newest report; empty if the clock has no guaranteed bound.
  [[nodiscard]] std::optional<double> clock_error_us() const {
    return report && report->clock ? report->clock->figures["error_us"].number() : std::nullopt;
  }
  // The CPUs of its pinned flows, by flow, from its newest report.
  [[nodiscard]] std::map<unsigned, unsigned> cpus() const;
};

class NodeRegistry {
public:
  using Nodes = std::map<std::string, NodeState, std::less<>>;

  NodeRegistry(const Wall& wall, EventLog& events);

  [[nodiscard]] const Nodes& all() const { return nodes_; }
  // Null if the wall file has no node with this name.
  [[nodiscard]] NodeState* find(std::string_view name);
  [[nodiscard]] const NodeState& of(TileIndex tile) const { return of_tile_[tile.value]->second; }
  [[nodiscard]] const std::string& name_of(TileIndex tile) const { return of_tile_[tile.value]->first; }
  // The node of this connection; null before its `node.hello`.
  [[nodiscard]] Nodes::value_type* of(const WebPeer* peer);

  // Makes this connection the node's own and closes its previous one.
  NodeState& connect(const std::string& name, WebPeer& peer, bool same_host, const Moment& now);
  void disconnect(const WebPeer& peer, const Moment& now);
  // Closes the connections of all nodes.
  void send_away(const std::string& reason);
  // Any message proves that a node is alive: its reports may be queued behind frame records and previews.
  void hear(const WebPeer& peer, const Moment& now);
  // Call ten times a second.
  void look_for_silence(const Moment& now);

private:
  EventLog& events_;
  Nodes nodes_;
  std::vector<Nodes::const_iterator> of_tile_;
  std::map<const WebPeer*, Nodes::iterator> of_peer_;
};

}  // namespace lw
