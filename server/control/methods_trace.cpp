// The life of every frame, of which the records of all hosts come together in the telemetry: trace.
#include "common/messages/frame_records.h"
#include "common/messages/requests.h"
#include "server/control/methods.h"

#include <algorithm>

namespace lw {
namespace {

struct TraceMethods {
  const Wall& wall;
  const Session& session;
  Telemetry& telemetry;
  const NodeRegistry& nodes;

  RpcReply trace(const TraceRequest& request, const Caller& caller) const;
};

RpcReply TraceMethods::trace(const TraceRequest& request, const Caller& caller) const {
  telemetry.take_records();
  const auto& history = telemetry.history();
  auto begin = history.first();
  if (request.seconds)
    begin = std::max(begin, history.since(caller.now.wall - std::chrono::duration_cast<Nanoseconds>(
                                                                std::chrono::duration<double>(*request.seconds))));
  const auto asked = request.after.value_or(0);
  const auto missed = request.after && asked < history.first() ? history.first() - asked : 0;
  begin = std::clamp(asked, begin, history.next());
  const auto end = std::min(history.next(), begin + frame_records_max);
  Json records = Json::array();
  for (auto number = begin; number < end; ++number) records.push_back(to_json(history.at(number), wall));

  Json hosts = Json::array();
  hosts.push_back({{"role", "server"}, {"name", wall.server.name}, {"dropped", session.records_dropped()}});
  for (const auto& [name, node] : nodes.all()) {
    if (node.peer == nullptr) continue;
    Json host{{"role", "node"}, {"name", name}, {"dropped", node.records_dropped}};
    if (const auto error = node.clock_error_us()) host["clock_error_us"] = *error;
    hosts.push_back(std::move(host));
  }
  return Json{{"records", std::move(records)},
              {"next", end},
              {"missed", missed},
              {"more", end < history.next()},
              {"hosts", std::move(hosts)}};
}

}  // namespace

void offer_trace_methods(Dispatcher& dispatcher, const Wall& wall, const Session& session, Telemetry& telemetry,
                         const NodeRegistry& nodes) {
  dispatcher.offer("trace", TraceMethods{wall, session, telemetry, nodes}, &TraceMethods::trace);
}

}  // namespace lw
