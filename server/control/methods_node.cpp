// Methods of nodes: `node.hello`, `node.report`, `node.picture`, `node.machine`, `node.frames`. All but the first
// require a connection that has called `node.hello`.
#include "common/access/access_role.h"
#include "common/clock/kernel_clock.h"
#include "common/messages/frame_records.h"
#include "common/messages/machine.h"
#include "common/messages/requests.h"
#include "common/messages/tile_picture.h"
#include "common/wall/shared_settings.h"
#include "server/control/methods.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace lw {
namespace {

constexpr std::chrono::seconds full_interval{1};  // between requests for a full report

struct NodeMethods {
  const Wall& wall;
  NodeRegistry& nodes;
  EventLog& events;
  Telemetry& telemetry;
  const TileOverlays& overlays;
  PictureRelay& pictures;
  const StatePublisher& publisher;
  const DetailWanted& detail;
  const Coordination& coordination;

  RpcReply hello(const NodeHello& hello, const Caller& caller) const;
  RpcReply report(const Json& json, const Caller& caller) const;
  RpcReply picture(const TilePictureMessage& picture, const Caller& caller) const;
  RpcReply machine(const MachineMessage& machine, const Caller& caller) const;
  RpcReply frames(const FramesMessage& frames, const Caller& caller) const;
  // The reason if this connection cannot be the node's.
  [[nodiscard]] std::optional<RpcFailure> refuse(const std::string& name, const Caller& caller) const;
};

std::optional<RpcFailure> NodeMethods::refuse(const std::string& name, const Caller& caller) const {
  if (nodes.find(name) == nullptr)
    return cannot(
        Error{"the server's wall file has no node '" + name + "'", "use the same wall file on server and node"});
  if (caller.peer == nullptr) return cannot(Error{"a call without a connection cannot be a node's", ""});
  if (const auto visitor = caller.visitor(); visitor.role == AccessRole::node && visitor.name != name)
    return RpcFailure{
        nullptr, rpc_code::forbidden,
        fmt::format("the token is node {}'s; make one for node {} with wall-server --add-token {} --role node",
                    visitor.name, name, name)};
  if (const auto* known = nodes.of(caller.peer); known != nullptr && known->first != name)
    return cannot(Error{"this connection is node " + known->first + "'s already", "open another one for " + name});
  return std::nullopt;
}

RpcReply NodeMethods::hello(const NodeHello& hello, const Caller& caller) const {
  const auto& name = hello.node;
  if (hello.protocol != protocol_version)
    return cannot(Error{"node " + name + " speaks protocol " + std::to_string(hello.protocol) + ", this server " +
                            std::to_string(protocol_version),
                        "install the same version on both"});
  if (auto failure = refuse(name, caller)) return *std::move(failure);
  const bool same_host = hello.boot && !hello.boot->empty() && *hello.boot == boot_id();
  const auto& node = nodes.connect(name, *caller.peer, same_host, caller.now);
  telemetry.restart(name);
  events.add({Severity::info,
              "node-joined",
              "node " + name + " (" + hello.host + ", wall-client " + hello.version + ") has connected",
              {},
              {}},
             caller.now, name);
  if (const auto difference = settings_difference(hello.settings.value_or(""), shared_settings(wall));
      !difference.empty())
    events.add({Severity::error,
                "node-wall-differs",
                "node " + name + " was started with another wall file: " + difference + "; give it the server's",
                {},
                {}},
               caller.now, name);
  overlays.tell(name);
  publisher.tell(node);
  pictures.tell(node);
  detail.tell(node);
  return to_json(NodeHelloReply{protocol_version, true, coordination.epoch()});
}

RpcReply NodeMethods::report(const Json& json, const Caller& caller) const {
  auto* const known = nodes.of(caller.peer);
  if (known == nullptr) return cannot(Error{"a report from a connection that did not call node.hello", ""});
  auto report = read_message<NodeReport>(json);
  if (!report) return bad_params("not a node's report: " + report.error().what);
  auto& [name, node] = *known;
  telemetry.take(std::move(*report), name, node, caller.now);
  if (node.planned_cpus.empty()) node.planned_cpus = node.cpus();
  return Json::object();
}

RpcReply NodeMethods::picture(const TilePictureMessage& picture, const Caller& caller) const {
  const auto* const known = nodes.of(caller.peer);
  if (known == nullptr) return cannot(Error{"a preview from a connection that did not call node.hello", ""});
  const auto tile = wall.find_tile(picture.tile);
  if (!tile) return bad_params("the wall has no such tile");
  if (wall.node_of(*tile).name != known->first) return bad_params("this tile is not node " + known->first + "'s");
  pictures.pass_on(*tile, picture, caller.now.local);
  return Json::object();
}

RpcReply NodeMethods::machine(const MachineMessage& machine, const Caller& caller) const {
  auto* const known = nodes.of(caller.peer);
  if (known == nullptr) return cannot(Error{"a host's facts from a connection that did not call node.hello", ""});
  known->second.machine = machine;
  return Json::object();
}

RpcReply NodeMethods::frames(const FramesMessage& frames, const Caller& caller) const {
  auto* const known = nodes.of(caller.peer);
  if (known == nullptr) return cannot(Error{"frame records from a connection that did not call node.hello", ""});
  known->second.records_dropped = frames.dropped;
  telemetry.take(frame_records(frames.records, wall), known->first);
  return Json::object();
}

}  // namespace

void take_node_tables(std::string_view message, const Caller& caller, NodeRegistry& nodes, Telemetry& telemetry,
                      const DetailWanted& detail) {
  auto* const known = nodes.of(caller.peer);
  if (known == nullptr) return;  // it did not say who it is
  auto& [name, node] = *known;
  auto tables = parse_cbor(message, tables_depth_max);
  const auto report = tables ? node.tables.take(std::move(*tables)) : Error{"not CBOR", ""};
  if (!report) {
    // It may send more before it hears this.
    if (caller.now.local < node.full_asked + full_interval) return;
    node.full_asked = caller.now.local;
    spdlog::debug("a report of node {} is not understood: {}; asking for a full one", name, report.error().what);
    return detail.tell(node, true);
  }
  telemetry.take(**report, name, node, caller.now);
  if (node.planned_cpus.empty()) node.planned_cpus = node.cpus();
}

void offer_node_methods(Dispatcher& dispatcher, const Wall& wall, NodeRegistry& nodes, EventLog& events,
                        Telemetry& telemetry, const TileOverlays& overlays, PictureRelay& pictures,
                        const StatePublisher& publisher, const DetailWanted& detail, const Coordination& coordination) {
  const NodeMethods group{wall, nodes, events, telemetry, overlays, pictures, publisher, detail, coordination};
  dispatcher.offer("node.hello", group, &NodeMethods::hello);
  dispatcher.offer("node.report", group, &NodeMethods::report);
  dispatcher.offer("node.picture", group, &NodeMethods::picture);
  dispatcher.offer("node.machine", group, &NodeMethods::machine);
  dispatcher.offer("node.frames", group, &NodeMethods::frames);
}

}  // namespace lw
