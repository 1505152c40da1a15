// What the hosts of the wall are made of: machines.
#include "common/host/host_facts.h"
#include "common/messages/requests.h"
#include "common/wall/geometry.h"
#include "server/control/methods.h"
#include "server/control/page.h"

#include <memory>

namespace lw {
namespace {

struct MachineMethods {
  const Wall& wall;
  const Library& library;
  const NodeRegistry& nodes;
  std::shared_ptr<Json> machine = std::make_shared<Json>();  // this host's facts, once asked for; of all copies

  RpcReply machines(const PageRequest& request, const Caller& caller) const;
  [[nodiscard]] Json paths_json() const;  // of flows between the hosts' addresses
};

// A page of the nodes; the server's host and the flows are on the first.
RpcReply MachineMethods::machines(const PageRequest& request, const Caller& /*caller*/) const {
  Page page;
  Json result{{"machines", Json::array()}, {"flows", Json::array()}};
  auto& all = result["machines"];
  if (!request.after) {
    if (machine->empty()) *machine = host_json(read_host_facts(library.directories()));
    page.take({{"role", "server"}, {"name", wall.server.name}, {"machine", *machine}}, all);
    result["flows"] = paths_json();
  }
  for (const auto& [name, node] : nodes.all()) {
    if (request.after && name <= *request.after) continue;
    Json entry{{"role", "node"}, {"name", name}};
    if (node.machine) entry["machine"] = *node.machine;
    if (page.take(std::move(entry), all)) continue;
    result["more"] = true;
    break;
  }
  return result;
}

Json MachineMethods::paths_json() const {
  Json flows = Json::array();
  const auto& interfaces = wall.server.interfaces;
  for (const auto& band : all_bands(wall)) {
    Json flow{{"flow", band.flow}, {"arrives_at", wall.node_of(band.tile).address}};
    if (!interfaces.empty()) flow["leaves_by"] = interfaces[band.flow % interfaces.size()];
    flows.push_back(std::move(flow));
  }
  return flows;
}

}  // namespace

void offer_machine_methods(Dispatcher& dispatcher, const Wall& wall, const Library& library,
                           const NodeRegistry& nodes) {
  dispatcher.offer("machines", MachineMethods{wall, library, nodes}, &MachineMethods::machines);
}

}  // namespace lw
