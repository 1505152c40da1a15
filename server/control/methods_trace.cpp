// The life of every frame: records of all hosts come together here, and operators look back on them.
#include "common/messages/frame_records.h"
#include "server/control/service_impl.h"

#include <algorithm>

namespace lw {

using Impl = ControlService::Impl;

namespace {

bool is_nodes_own(const FrameRecord& record, const Wall& wall, const std::string& node) {
  if (record.step == FrameStep::shown) return wall.node_of(wall.tile(record.part)).name == node;
  return record.step == FrameStep::received &&
         wall.node_of(wall.tile(record.part / wall.streaming.flows_per_tile)).name == node;
}

}  // namespace

std::optional<double> NodeState::clock_error_us() const {
  return report && report->clock ? report->clock->figures["error_us"].number() : std::nullopt;
}

void Impl::take_records() {
  session_.take_records([this](const FrameRecord& record) {
    history_.add(record);
    if (record.step == FrameStep::sent) flights_[record.part].sent(record);
  });
}

RpcReply Impl::node_frames(const Json& json, const Caller& caller) {
  Params params(json);
  const auto list = params.optional_objects("records");
  const auto dropped = params.integer("dropped", 0, INT64_MAX);
  if (auto problem = params.problem()) return bad_params(*problem);
  const auto records = list ? frame_records(*list, wall_) : std::nullopt;
  if (!records) return bad_params("records must be an array of at most " + std::to_string(frame_records_max));
  const auto known = node_of_peer_.find(caller.peer);
  if (known == node_of_peer_.end())
    return cannot(Error{"frame records from a connection that did not say node.hello", ""});
  take_records();  // theirs were sent before these were received
  nodes_[known->second].records_dropped = static_cast<std::uint64_t>(dropped);
  for (const auto& record : *records) {
    if (!is_nodes_own(record, wall_, known->second)) continue;
    history_.add(record);
    if (record.step == FrameStep::received) flights_[record.part].received(record);
  }
  return Json::object();
}

// Of the flows whose times on both hosts can be compared.
std::vector<WallFlowReport> Impl::flights() const {
  std::vector<WallFlowReport> flows;
  for (unsigned flow = 0; flow < flights_.size(); ++flow) {
    const auto& flight = flights_[flow].flight_us();
    const auto node = nodes_.find(wall_.node_of(wall_.tile(flow / wall_.streaming.flows_per_tile)).name);
    if (flight.empty() || !node->second.clock_error_us()) continue;
    flows.push_back({flow, Figures(WallFlowStats{flight.quantile(0.5), flight.quantile(0.99)})});
  }
  return flows;
}

RpcReply Impl::trace(const Json& json) {
  Params params(json);
  const auto seconds = params.optional_number("seconds", 0.001, 3600);
  const auto after = params.optional_integer("after", 0, INT64_MAX);
  if (auto problem = params.problem()) return bad_params(*problem);
  take_records();
  auto begin = history_.first();
  if (seconds)
    begin = std::max(begin, history_.since(WallClock::now() - std::chrono::duration_cast<Nanoseconds>(
                                                                  std::chrono::duration<double>(*seconds))));
  const auto asked = static_cast<std::uint64_t>(after.value_or(0));
  const auto missed = after && asked < history_.first() ? history_.first() - asked : 0;
  begin = std::clamp(asked, begin, history_.next());
  const auto end = std::min(history_.next(), begin + frame_records_max);
  Json records = Json::array();
  for (auto number = begin; number < end; ++number) records.push_back(to_json(history_.at(number), wall_));

  Json hosts = Json::array();
  hosts.push_back({{"role", "server"}, {"name", wall_.server.name}, {"dropped", session_.records_dropped()}});
  for (const auto& [name, node] : nodes_) {
    if (node.peer == nullptr) continue;
    Json host{{"role", "node"}, {"name", name}, {"dropped", node.records_dropped}};
    if (const auto error = node.clock_error_us()) host["clock_error_us"] = *error;
    hosts.push_back(std::move(host));
  }
  return Json{{"records", std::move(records)},
              {"next", end},
              {"missed", missed},
              {"more", end < history_.next()},
              {"hosts", std::move(hosts)}};
}

}  // namespace lw
