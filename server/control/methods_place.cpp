// Moving flows to other CPUs while they play, to see whether another placement would do better: placement, place.
#include "server/control/service_impl.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace lw {

using Impl = ControlService::Impl;

namespace {

constexpr std::int64_t cpu_max = 1'000'000;

Json json_of(unsigned flow, const std::optional<unsigned>& cpu, const std::optional<unsigned>& planned) {
  Json json{{"flow", flow}};
  if (cpu) json["cpu"] = *cpu;
  if (planned) json["planned"] = *planned;
  return json;
}

// Or what is wrong with them: each flow of the wall has one place.
std::variant<Impl::Moves, std::string> moves_of(const std::vector<Json>& list, unsigned flow_count) {
  if (list.size() > flow_count)
    return "flows has " + std::to_string(list.size()) + " entries; the wall has " + std::to_string(flow_count) +
           " flows";
  Impl::Moves moves;
  std::vector<bool> named(flow_count);
  for (const auto& entry : list) {
    Params params(entry);
    const auto flow = params.integer("flow", 0, std::int64_t{flow_count} - 1);
    const auto cpu = params.integer("cpu", 0, cpu_max);
    auto problem = params.problem();
    if (!problem && named[static_cast<std::size_t>(flow)]) problem = "flow is named twice";
    if (problem) return "flows, number " + std::to_string(moves.size() + 1) + ": " + *problem;
    named[static_cast<std::size_t>(flow)] = true;
    moves.emplace_back(flow, cpu);
  }
  return moves;
}

std::string words_of(const Impl::Moves& moves) {
  constexpr std::size_t told_max = 8;
  std::string words;
  for (std::size_t i = 0; i < std::min(moves.size(), told_max); ++i)
    words += (words.empty() ? "flow " : ", flow ") + std::to_string(moves[i].first) + " is moved to CPU " +
             std::to_string(*moves[i].second);
  if (moves.size() > told_max) words += " and " + std::to_string(moves.size() - told_max) + " more";
  return words;
}

// Also where its facts have not come.
bool may_have_cpu(const std::optional<Json>& machine, unsigned cpu) {
  if (!machine) return true;
  const auto cores = machine->value("topology", Json::object()).value("cores", Json::array());
  return cores.empty() || std::ranges::any_of(cores, [&](const Json& core) {
           const auto cpus = core.value("cpus", Json::array());
           return std::ranges::find(cpus, Json(cpu)) != cpus.end();
         });
}

}  // namespace

std::map<unsigned, unsigned> Impl::cpus_in(const std::optional<NodeReport>& report) {
  std::map<unsigned, unsigned> cpus;
  if (!report) return cpus;
  for (const auto& flow : report->flows)
    if (flow.cpu && *flow.cpu >= 0) cpus[flow.flow] = static_cast<unsigned>(*flow.cpu);
  return cpus;
}

RpcReply Impl::placement(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  Json server = Json::array();
  for (const auto& flow : session_.placement()) server.push_back(json_of(flow.flow, flow.cpu, flow.planned));
  Json nodes = Json::array();
  for (const auto& [name, node] : nodes_) {
    Json flows = Json::array();
    const auto now = cpus_in(node.report);
    for (const auto& [flow, planned] : node.planned_cpus) {
      const auto cpu = now.find(flow);
      flows.push_back(json_of(flow, cpu != now.end() ? std::optional(cpu->second) : std::nullopt, planned));
    }
    nodes.push_back({{"node", name}, {"flows", std::move(flows)}});
  }
  return Json{{"server", std::move(server)}, {"nodes", std::move(nodes)}};
}

RpcReply Impl::place(const Json& json) {
  Params params(json);
  const auto node = params.optional_text("node");
  const auto flows = params.optional_objects("flows");
  const bool planned = params.boolean_or("planned", false);
  if (auto problem = params.problem()) return bad_params(*problem);
  if (planned == flows.has_value()) return bad_params("give either flows, or planned: true");
  const auto moves = moves_of(flows.value_or(std::vector<Json>{}), wall_.flow_count());
  if (const auto* problem = std::get_if<std::string>(&moves)) return bad_params(*problem);
  const auto& wanted = std::get<Moves>(moves);
  const auto words = planned ? "the flows are on their planned CPUs again" : words_of(wanted);
  const auto placed = node ? place_on_node(*node, wanted, planned) : place_here(wanted, planned);
  if (!placed) return cannot(placed.error());
  on_event({Severity::info, "placed", words, {}, {}}, node);
  return Json::object();
}

// All of them, or none.
Result<void> Impl::place_here(Moves moves, bool planned) {
  const auto before = session_.placement();
  if (planned)
    for (const auto& flow : before) moves.emplace_back(flow.flow, flow.planned);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto moved = session_.move_flow(moves[i].first, moves[i].second);
    if (moved) continue;
    for (std::size_t done = 0; done < i; ++done) {
      const auto was = std::ranges::find(before, moves[done].first, &FlowCpu::flow);
      if (was == before.end()) continue;
      if (const auto back = session_.move_flow(was->flow, was->cpu); !back) spdlog::warn(back.error().text());
    }
    return moved;
  }
  return {};
}

// The node says no more of it than where its flows are then: in its reports.
Result<void> Impl::place_on_node(const std::string& name, Moves moves, bool planned) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return Error{"the wall file has no node '" + name + "'", "info names those there are"};
  const auto& node = found->second;
  if (node.peer == nullptr) return Error{"node " + name + " is not connected", "start wall-client there"};
  if (planned) moves.assign(node.planned_cpus.begin(), node.planned_cpus.end());
  Json list = Json::array();
  for (const auto& [flow, cpu] : moves) {
    if (!node.planned_cpus.contains(flow))
      return Error{"node " + name + " has no flow " + std::to_string(flow) + " that is pinned to a CPU",
                   "placement lists those it has"};
    if (!may_have_cpu(node.machine, *cpu))
      return Error{"node " + name + " has no CPU " + std::to_string(*cpu), "machines lists those it has"};
    list.push_back({{"flow", flow}, {"cpu", *cpu}});
  }
  node.peer->send(rpc_notification("node.place", {{"flows", std::move(list)}}));
  return {};
}

}  // namespace lw
