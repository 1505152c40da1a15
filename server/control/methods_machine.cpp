// The hardware of the wall's hosts: machines.
#include "common/host/host_facts.h"
#include "common/messages/machine.h"
#include "common/messages/requests.h"
#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"
#include "server/control/methods.h"
#include "server/control/page.h"

#include <memory>
#include <vector>

namespace lw {
namespace {

struct MachineMethods {
  const Wall& wall;
  const Library& library;
  const NodeRegistry& nodes;
  std::shared_ptr<Json> machine =
      std::make_shared<Json>();  // this host's facts and limits, once requested; shared by all copies

  RpcReply machines(const PageRequest& request, const Caller& caller) const;
  [[nodiscard]] std::vector<FlowPathMessage> paths() const;
};

// A page of the nodes; the first page also has the server's host and the flows.
RpcReply MachineMethods::machines(const PageRequest& request, const Caller& /*caller*/) const {
  MachinesReply reply;
  Page page;
  Json all = Json::array();
  if (!request.after) {
    if (machine->empty()) *machine = host_json(read_host_facts(library.directories()));
    auto server = to_json(MachineEntry{HostRole::server, wall.coordinator().name, {}});
    server["machine"] = *machine;
    page.take(std::move(server), all);
    reply.flows = paths();
  }
  for (const auto& [name, node] : nodes.all()) {
    if (request.after && name <= *request.after) continue;
    if (page.take(to_json(MachineEntry{HostRole::node, name, node.machine}), all)) continue;
    reply.more = true;
    break;
  }
  auto result = to_json(reply);
  result["machines"] = std::move(all);
  return result;
}

std::vector<FlowPathMessage> MachineMethods::paths() const {
  std::vector<FlowPathMessage> paths;
  for (const auto& band : all_bands(wall)) {
    const auto route = routes_of(wall, wall.server_of(band.tile), band).front();
    auto& path = paths.emplace_back(FlowPathMessage{band.flow, {}, route.to});
    if (!route.from.empty()) path.leaves_by = route.from;
  }
  return paths;
}

}  // namespace

void offer_machine_methods(Dispatcher& dispatcher, const Wall& wall, const Library& library,
                           const NodeRegistry& nodes) {
  dispatcher.offer("machines", MachineMethods{wall, library, nodes}, &MachineMethods::machines);
}

}  // namespace lw
