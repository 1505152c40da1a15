// What the hosts of the wall are made of: machines, node.machine.
#include "common/control/machine.h"
#include "common/host/host_facts.h"
#include "common/wall/geometry.h"
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

RpcReply Impl::machines(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  if (machine_.empty()) machine_ = host_json(read_host_facts(library_.directories()));
  Json all = Json::array({{{"role", "server"}, {"name", wall_.server.name}, {"machine", machine_}}});
  for (const auto& [name, node] : nodes_) {
    Json entry{{"role", "node"}, {"name", name}};
    if (node.machine) entry["machine"] = *node.machine;
    all.push_back(std::move(entry));
  }
  Json flows = Json::array();
  const auto& interfaces = wall_.server.interfaces;
  for (const auto& band : all_bands(wall_)) {
    Json flow{{"flow", band.flow}, {"arrives_at", wall_.node_of(band.tile).address}};
    if (!interfaces.empty()) flow["leaves_by"] = interfaces[band.flow % interfaces.size()];
    flows.push_back(std::move(flow));
  }
  return Json{{"machines", std::move(all)}, {"flows", std::move(flows)}};
}

}  // namespace lw
