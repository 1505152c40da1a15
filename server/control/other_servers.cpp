#include "server/control/other_servers.h"

#include "common/messages/message.h"
#include "common/wall/shared_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace lw {
namespace {

constexpr std::uint64_t hello_id = 0;  // lines have their numbers, from 1 on
// A line is announced so long before the longest round trip: the other server opens the store meanwhile.
constexpr std::chrono::milliseconds announce_margin{100};
constexpr std::chrono::milliseconds round_trip_most{2000};
constexpr std::chrono::seconds report_age_most{1};

}  // namespace

OtherServers::OtherServers(const Wall& wall, const WallServer& self, Session& session, EventLog& events)
    : wall_(wall), session_(session), events_(events) {
  for (const auto& server : wall.servers)
    if (server.name != self.name) servers_[server.name];
}

void OtherServers::connected(const std::string& name, Send send) {
  auto& server = servers_[name];
  server = {};
  server.send = std::move(send);
  server.send(
      rpc_request(hello_id, "server.hello", to_json(ServerHello{name, shared_settings(wall_), protocol_version})));
}

void OtherServers::lost(const std::string& name, const Moment& now) {
  auto& server = servers_[name];
  if (server.greeted)
    tell(Severity::error, "server-lost",
         fmt::format("server {} does not answer; it plays on along the newest line it has", name), now);
  server = {};
}

void OtherServers::hear(const std::string& name, std::string_view message, const Moment& now) {
  const auto parsed = parse_rpc(message);
  auto& server = servers_[name];
  if (const auto* answer = std::get_if<RpcResponse>(&parsed)) take_answer(name, server, *answer, now);
  if (const auto* request = std::get_if<RpcRequest>(&parsed); request != nullptr && request->method == "server.report")
    take_report(name, server, request->params, now);
}

void OtherServers::take_answer(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now) {
  const auto id = whole_number(answer.id);
  if (id == hello_id) {
    server.greeted = !answer.error;
    if (answer.error)
      tell(Severity::error, "server-refuses", fmt::format("server {} does not follow: {}", name, *answer.error), now);
    else
      tell(Severity::info, "server-joined", fmt::format("server {} follows", name), now);
    return;
  }
  if (id == server.line_sent)
    server.round_trip = std::min<Nanoseconds>(now.local - server.line_sent_at, round_trip_most);
  if (answer.error)
    tell(Severity::error, "server-cannot-play", fmt::format("server {} cannot play: {}", name, *answer.error), now);
}

void OtherServers::take_report(const std::string& name, Server& server, const Json& params, const Moment& now) {
  auto report = read_message<ServerReport>(params);
  if (!report) return;  // a newer version's; what it plays does not depend on it
  // Figures of flows that another server sends would be reported twice.
  std::erase_if(report->flows, [&](const SenderFlowReport& flow) {
    return flow.flow >= wall_.flow_count() || wall_.server_of(wall_.tile_of_flow(flow.flow)).name != name;
  });
  const auto failures = report->read_failures;
  const auto before = server.report ? server.report->read_failures : failures;
  if (failures > before)
    tell(Severity::error, "read-failed",
         fmt::format("server {} could not read {} frames; its log names the file", name, failures - before), now);
  server.report = std::move(*report);
  server.reported = now.local;
}

void OtherServers::step(const Moment& now) {
  const auto newest = session_.line();
  auto longest = Nanoseconds{0};
  bool any = false;
  for (auto& [name, server] : servers_) {
    if (!server.greeted) continue;
    any = true;
    longest = std::max(longest, server.round_trip);
    if (server.line_sent == newest.number) continue;
    server.line_sent = newest.number;
    server.line_sent_at = now.local;
    server.send(rpc_request(newest.number, "server.line", to_json(to_message(newest))));
  }
  session_.announce_ahead(any ? announce_margin + longest : Nanoseconds{0});
}

std::vector<SenderFlowReport> OtherServers::flows(const Moment& now) const {
  std::vector<SenderFlowReport> flows;
  for (const auto& [name, server] : servers_)
    if (server.report && now.local - server.reported < report_age_most)
      flows.insert(flows.end(), server.report->flows.begin(), server.report->flows.end());
  return flows;
}

}  // namespace lw
