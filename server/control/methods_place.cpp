// Moving flows to other CPUs during playback, to find out whether another placement is better: placement, place.
#include "common/messages/place_requests.h"
#include "common/messages/requests.h"
#include "server/control/methods.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace lw {
namespace {

using Moves = std::vector<std::pair<unsigned, std::optional<unsigned>>>;  // flow; CPU, or empty: any

Json json_of(unsigned flow, const std::optional<unsigned>& cpu, const std::optional<unsigned>& planned) {
  Json json{{"flow", flow}};
  if (cpu) json["cpu"] = *cpu;
  if (planned) json["planned"] = *planned;
  return json;
}

// A place for each flow of the wall, or an error.
std::variant<Moves, std::string> moves_of(const std::vector<FlowMove>& list, unsigned flow_count) {
  if (list.size() > flow_count)
    return fmt::format("flows has {} entries; the wall has {} flows", list.size(), flow_count);
  Moves moves;
  std::vector<bool> named(flow_count);
  for (const auto& [flow, cpu] : list) {
    const auto number = moves.size() + 1;
    if (flow >= flow_count)
      return fmt::format("flows, number {}: flow must be a whole number from 0 to {}", number, flow_count - 1);
    if (named[flow]) return fmt::format("flows, number {}: flow is named twice", number);
    named[flow] = true;
    moves.emplace_back(flow, cpu);
  }
  return moves;
}

std::string words_of(const Moves& moves) {
  constexpr std::size_t told_max = 8;
  std::string words;
  for (std::size_t i = 0; i < std::min(moves.size(), told_max); ++i)
    words += (words.empty() ? "flow " : ", flow ") + std::to_string(moves[i].first) + " is moved to CPU " +
             std::to_string(*moves[i].second);
  if (moves.size() > told_max) words += " and " + std::to_string(moves.size() - told_max) + " more";
  return words;
}

// Also true if its facts have not arrived.
bool may_have_cpu(const std::optional<MachineMessage>& machine, unsigned cpu) {
  if (!machine) return true;
  const auto& cores = machine->topology.cores;
  return cores.empty() || std::ranges::any_of(cores, [cpu](const CoreFacts& core) {
           return core.cpus && std::ranges::find(*core.cpus, cpu) != core.cpus->end();
         });
}

struct PlaceMethods {
  const Wall& wall;
  Session& session;
  NodeRegistry& nodes;
  EventLog& events;

  RpcReply placement(const NoParams& request, const Caller& caller) const;
  RpcReply place(const PlaceRequest& request, const Caller& caller) const;
  [[nodiscard]] Result<void> place_here(Moves moves, bool planned) const;
  [[nodiscard]] Result<void> place_on_node(const std::string& name, Moves moves, bool planned) const;
};

RpcReply PlaceMethods::placement(const NoParams& /*request*/, const Caller& /*caller*/) const {
  Json server = Json::array();
  for (const auto& flow : session.placement()) server.push_back(json_of(flow.flow, flow.cpu, flow.planned));
  Json placed = Json::array();
  for (const auto& [name, node] : nodes.all()) {
    Json flows = Json::array();
    const auto now = node.cpus();
    for (const auto& [flow, planned] : node.planned_cpus) {
      const auto cpu = now.find(flow);
      flows.push_back(json_of(flow, cpu != now.end() ? std::optional(cpu->second) : std::nullopt, planned));
    }
    placed.push_back({{"node", name}, {"flows", std::move(flows)}});
  }
  return Json{{"server", std::move(server)}, {"nodes", std::move(placed)}};
}

RpcReply PlaceMethods::place(const PlaceRequest& request, const Caller& caller) const {
  const auto moves = moves_of(request.flows.value_or(std::vector<FlowMove>{}), wall.flow_count());
  if (const auto* problem = std::get_if<std::string>(&moves)) return bad_params(*problem);
  const auto& wanted = std::get<Moves>(moves);
  const bool planned = request.planned.value_or(false);
  const auto words = planned ? "the flows are on their planned CPUs again" : words_of(wanted);
  const auto placed = request.node ? place_on_node(*request.node, wanted, planned) : place_here(wanted, planned);
  if (!placed) return cannot(placed.error());
  events.add({Severity::info, "placed", words, {}, {}}, caller.now, request.node);
  return Json::object();
}

// Moves all of them or none.
Result<void> PlaceMethods::place_here(Moves moves, bool planned) const {
  const auto before = session.placement();
  if (planned)
    for (const auto& flow : before) moves.emplace_back(flow.flow, flow.planned);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto moved = session.move_flow(moves[i].first, moves[i].second);
    if (moved) continue;
    for (std::size_t done = 0; done < i; ++done) {
      const auto was = std::ranges::find(before, moves[done].first, &FlowCpu::flow);
      if (was == before.end()) continue;
      if (const auto back = session.move_flow(was->flow, was->cpu); !back) spdlog::warn(back.error().text());
    }
    return moved;
  }
  return {};
}

// The node only confirms by the CPUs in its reports.
Result<void> PlaceMethods::place_on_node(const std::string& name, Moves moves, bool planned) const {
  const auto* const found = nodes.find(name);
  if (found == nullptr) return Error{"the wall file has no node '" + name + "'", "info names those there are"};
  const auto& node = *found;
  if (node.peer == nullptr) return Error{"node " + name + " is not connected", "start wall-client there"};
  if (planned) moves.assign(node.planned_cpus.begin(), node.planned_cpus.end());
  NodePlaceMessage message;
  for (const auto& [flow, cpu] : moves) {
    if (!node.planned_cpus.contains(flow))
      return Error{"node " + name + " has no flow " + std::to_string(flow) + " that is pinned to a CPU",
                   "placement lists those it has"};
    if (!may_have_cpu(node.machine, *cpu))
      return Error{"node " + name + " has no CPU " + std::to_string(*cpu), "machines lists those it has"};
    message.flows.push_back({flow, *cpu});
  }
  node.peer->send(rpc_notification("node.place", to_json(message)));
  return {};
}

}  // namespace

void offer_place_methods(Dispatcher& dispatcher, const Wall& wall, Session& session, NodeRegistry& nodes,
                         EventLog& events) {
  const PlaceMethods group{wall, session, nodes, events};
  dispatcher.offer("placement", group, &PlaceMethods::placement);
  dispatcher.offer("place", group, &PlaceMethods::place);
}

}  // namespace lw
