// What the hosts of the wall are made of: machines, node.machine.
#include "common/host/host_facts.h"
#include "common/messages/machine.h"
#include "common/wall/geometry.h"
#include "server/control/page.h"
#include "server/control/service_impl.h"

namespace lw {

using Impl = ControlService::Impl;

RpcReply Impl::node_machine(const Json& json, const Caller& caller) {
  auto machine = checked_machine(json);
  if (!machine) return bad_params("not a host's facts");
  const auto known = node_of_peer_.find(caller.peer);
  if (known == node_of_peer_.end())
    return cannot(Error{"a host's facts from a connection that did not say node.hello", ""});
  nodes_[known->second].machine = std::move(*machine);
  return Json::object();
}

// A page of the nodes; the server's host and the flows are on the first.
RpcReply Impl::machines(const Json& json) {
  Params params(json);
  const auto after = params.optional_text("after");
  if (auto problem = params.problem()) return bad_params(*problem);
  Page page;
  Json result{{"machines", Json::array()}, {"flows", Json::array()}};
  auto& all = result["machines"];
  if (!after) {
    if (machine_.empty()) machine_ = host_json(read_host_facts(library_.directories()));
    page.take({{"role", "server"}, {"name", wall_.server.name}, {"machine", machine_}}, all);
    result["flows"] = paths_json();
  }
  for (const auto& [name, node] : nodes_) {
    if (after && name <= *after) continue;
    Json entry{{"role", "node"}, {"name", name}};
    if (node.machine) entry["machine"] = *node.machine;
    if (page.take(std::move(entry), all)) continue;
    result["more"] = true;
    break;
  }
  return result;
}

Json Impl::paths_json() const {
  Json flows = Json::array();
  const auto& interfaces = wall_.server.interfaces;
  for (const auto& band : all_bands(wall_)) {
    Json flow{{"flow", band.flow}, {"arrives_at", wall_.node_of(band.tile).address}};
    if (!interfaces.empty()) flow["leaves_by"] = interfaces[band.flow % interfaces.size()];
    flows.push_back(std::move(flow));
  }
  return flows;
}

}  // namespace lw
