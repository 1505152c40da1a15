// The life of every frame, from the records of all hosts that the telemetry has collected: trace.
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
  DetailWanted& detail;

  RpcReply trace(const TraceRequest& request, const Caller& caller) const;
};

RpcReply TraceMethods::trace(const TraceRequest& request, const Caller& caller) const {
  telemetry.take_records();
  detail.note_trace(caller.now.local);
  const auto& history = telemetry.history();
  auto begin = history.first();
  if (request.seconds)
    begin = std::max(begin, history.since(caller.now.wall - std::chrono::duration_cast<Nanoseconds>(
                                                                std::chrono::duration<double>(*request.seconds))));
  const auto asked = request.after.value_or(0);
  const auto missed = request.after && asked < history.first() ? history.first() - asked : 0;
  begin = std::clamp(asked, begin, history.next());
  const auto end = std::min(history.next(), begin + frame_records_max);
  TraceReply reply{.next = end, .missed = missed, .more = end < history.next()};
  for (auto number = begin; number < end; ++number) reply.records.push_back(message_of(history.at(number), wall));
  reply.hosts.push_back({HostRole::server, wall.coordinator().name, session.records_dropped(), {}});
  for (const auto& [name, node] : nodes.all())
    if (node.peer != nullptr)
      reply.hosts.push_back({HostRole::node, name, node.records_dropped, node.clock_error_us()});
  return to_json(reply);
}

}  // namespace

void offer_trace_methods(Dispatcher& dispatcher, const Wall& wall, const Session& session, Telemetry& telemetry,
                         const NodeRegistry& nodes, DetailWanted& detail) {
  dispatcher.offer("trace", TraceMethods{wall, session, telemetry, nodes, detail}, &TraceMethods::trace);
}

}  // namespace lw
