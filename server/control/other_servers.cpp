#include "server/control/other_servers.h"

#include "common/base/counted.h"
#include "common/base/short_text.h"
#include "common/messages/message.h"
#include "common/wall/shared_settings.h"
#include "server/control/server_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <variant>

namespace lw {
namespace {

constexpr std::uint64_t hello_id = 0;  // lines have their numbers, from 1 on
constexpr const char* library_id = "library";
constexpr const char* import_id = "import";
constexpr std::string_view remove_id = "delete ";  // and which visualization
constexpr std::chrono::seconds remove_after{1};    // longer than lines are announced ahead
// A line is announced so long before the longest round trip: the other server opens the store meanwhile.
constexpr std::chrono::milliseconds announce_margin{100};
constexpr std::chrono::milliseconds round_trip_most{2000};
constexpr std::chrono::seconds report_age_most{1};
constexpr std::chrono::seconds ask_interval{1};
constexpr std::chrono::seconds line_again{2};  // after a line that a server could not play

}  // namespace

OtherServers::OtherServers(const Wall& wall, const WallServer& self, EventLog& events, ClockKeeper* clock)
    : wall_(wall), self_(self), own_tiles_(wall.tiles_of(self)), events_(events), clock_(clock) {
  for (const auto& server : wall.servers)
    if (server.name != self.name) servers_[server.name];
}

void OtherServers::connected(const std::string& name, Send send) {
  auto& server = servers_[name];
  server = {};
  server.send = std::move(send);
  say_hello(name, server);
}

void OtherServers::say_hello(const std::string& name, Server& server) {
  server.hello = Hello::pending;
  ServerHello hello{name, shared_settings(wall_), protocol_version, self_.name, epoch_, coordinates_};
  hello.tables = true;
  if (clock_ != nullptr) hello.asks_time = clock_->request().time_since_epoch().count();
  server.send(rpc_request(hello_id, "server.hello", to_json(hello)));
}

void OtherServers::take_role(std::uint64_t epoch, bool coordinates) {
  epoch_ = epoch;
  coordinates_ = coordinates;
  for (auto& [name, server] : servers_) {
    server.follows = false;
    server.line_sent.reset();
    if (server.send) say_hello(name, server);
  }
}

void OtherServers::lost(const std::string& name, const Moment& now) {
  auto& server = servers_[name];
  if (server.follows)
    tell(Severity::error, "server-lost",
         fmt::format("server {} does not answer; it plays on along the newest line it has", name), now);
  server = {};
  server.hello = Hello::unreachable;
}

void OtherServers::ask(const std::string& name) {
  const auto found = servers_.find(name);
  if (found != servers_.end() && found->second.send && found->second.hello != Hello::pending)
    say_hello(name, found->second);
}

std::optional<LocalTime> OtherServers::answered(const std::string& name) const {
  const auto found = servers_.find(name);
  return found == servers_.end() ? std::nullopt : found->second.answered;
}

bool OtherServers::all_asked() const {
  return std::ranges::none_of(servers_, [](const auto& entry) { return entry.second.hello == Hello::pending; });
}

std::optional<ServerHelloReply> OtherServers::newest_answer() const {
  const auto age = [](const ServerHelloReply& answer) {
    return std::pair(answer.epoch, answer.line ? answer.line->number : 0);
  };
  std::optional<ServerHelloReply> newest;
  for (const auto& [name, server] : servers_)
    if (server.answer && (!newest || age(*server.answer) > age(*newest))) newest = server.answer;
  return newest;
}

void OtherServers::hear(const std::string& name, std::string_view message, bool plays, const Moment& now) {
  auto& server = servers_[name];
  if (is_cbor(message)) return take_tables(name, server, message, now);
  const auto parsed = parse_rpc(message);
  if (const auto* answer = std::get_if<RpcResponse>(&parsed)) take_answer(name, server, *answer, now);
  const auto* request = std::get_if<RpcRequest>(&parsed);
  if (request == nullptr) return;
  if (request->method == "server.report")
    if (auto report = read_message<ServerReport>(request->params)) {  // otherwise a newer version's
      server.report = std::move(*report);
      take_report(name, server, now);
    }
  if (request->method == "server.alive")
    if (const auto alive = read_message<ServerAlive>(request->params)) take_alive(server, *alive, plays, now);
}

void OtherServers::take_alive(Server& server, const ServerAlive& alive, bool plays, const Moment& now) const {
  server.heart.take(alive, plays, now.local);
  server.asks_time = alive.asks_time;
  server.asked_time = now.wall;
  server.delay_needed.reset();
  if (alive.delay_needed_ns && alive.slowest_flow && *alive.slowest_flow < wall_.flow_count())
    server.delay_needed = {Nanoseconds{*alive.delay_needed_ns}, *alive.slowest_flow};
  server.grown.reset();
  if (alive.frames) server.grown = {*alive.frames, alive.complete.value_or(false)};
  server.wants_parity = alive.wants_parity;
  std::erase_if(server.wants_parity, [&](unsigned flow) { return flow >= wall_.flow_count(); });
}

void OtherServers::take_answer(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now) {
  if (answer.id == library_id) return take_library(name, server, answer, now);
  if (answer.id == import_id) return take_import_answer(server, answer);
  if (const auto* text = answer.id.get_ptr<const std::string*>(); text != nullptr && text->starts_with(remove_id))
    return take_remove_answer(name, text->substr(remove_id.size()), answer, now);
  const auto id = whole_number(answer.id);
  if (id == hello_id) return take_hello_answer(name, server, answer, now);
  if (id == server.line_sent)
    server.round_trip = std::min<Nanoseconds>(now.local - server.line_sent_at, round_trip_most);
  const auto refusal = std::exchange(server.refusal, answer.error.value_or(""));
  if (!answer.error) return;
  if (refusal != *answer.error)
    tell(Severity::error, "server-cannot-play", fmt::format("server {} cannot play: {}", name, *answer.error), now);
  ask(name);  // perhaps it follows another one
}

void OtherServers::take_hello_answer(const std::string& name, Server& server, const RpcResponse& answer,
                                     const Moment& now) {
  auto reply =
      answer.error ? Result<ServerHelloReply>(Error{*answer.error, ""}) : read_message<ServerHelloReply>(answer.result);
  server.hello = reply ? Hello::answered : Hello::refused;
  server.answer.reset();
  if (!reply) {
    tell(Severity::error, "server-refuses", fmt::format("server {} does not follow: {}", name, reply.error().what),
         now);
    return;
  }
  server.answer = std::move(*reply);
  // A coordinator that was restarted takes the wall's time from those that know it.
  if (clock_ != nullptr && !clock_->error()) {
    take(server.answer->time, clock_);
    clock_->step();
  }
  if (server.answer->coordinator == name) server.answered = now.local;
  if (!coordinates_ || server.answer->coordinator != self_.name || server.answer->epoch != epoch_) return;
  server.follows = true;
  if (!std::exchange(server.told, true))
    tell(Severity::info, "server-joined", fmt::format("server {} follows", name), now);
}

void OtherServers::take_library(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now) {
  if (!server.library.take_answer(answer, now.local)) return;
  const auto has = std::ranges::count_if(server.library.entries(), &ServerVisualization::fits);
  tell(Severity::info, "library", fmt::format("visualizations that server {} can send: {}", name, has), now);
}

// What it plays does not depend on them. After each hello the first message is full.
void OtherServers::take_tables(const std::string& name, Server& server, std::string_view message, const Moment& now) {
  auto tables = parse_cbor(message, tables_depth_max);
  if (!server.report) server.report.emplace();
  if (!tables || !server.tables.take(std::move(*tables), *server.report)) return ask(name);
  take_report(name, server, now);
}

void OtherServers::take_report(const std::string& name, Server& server, const Moment& now) {
  const auto& report = *server.report;
  server.library.hear(report.library.value_or(0));
  if (report.import) take_import(name, server, *report.import);
  const auto before = std::exchange(server.read_failures, report.read_failures);
  if (before && report.read_failures > *before)
    tell(Severity::error, "read-failed",
         fmt::format("server {} could not read {}; its log names the file", name,
                     counted(report.read_failures - *before, "frame")),
         now);
  server.reported = now.local;
}

// A server that could not play it may have the content by now.
bool OtherServers::lacks_line(const Server& server, std::uint64_t number, LocalTime now) {
  if (!server.follows) return false;
  return server.line_sent != number || (!server.refusal.empty() && now - server.line_sent_at >= line_again);
}

bool OtherServers::lack_line(std::uint64_t number, LocalTime now) const {
  return std::ranges::any_of(servers_, [&](const auto& entry) { return lacks_line(entry.second, number, now); });
}

void OtherServers::send_lines(const LinesAfter& lines_after, std::uint64_t newest, const Moment& now) {
  for (auto& [name, server] : servers_) {
    if (!lacks_line(server, newest, now.local)) continue;
    if (server.line_sent != newest) server.refusal.clear();
    const auto before = std::exchange(server.line_sent, newest);
    server.line_sent_at = now.local;
    for (const auto& line : lines_after(before.value_or(0)))
      server.send(rpc_request(line.number, "server.line", to_json(line)));
  }
}

Nanoseconds OtherServers::announce_time() const {
  auto longest = Nanoseconds{0};
  bool any = false;
  for (const auto& [name, server] : servers_) {
    if (!server.follows) continue;
    any = true;
    longest = std::max(longest, server.round_trip);
  }
  return any ? announce_margin + longest : Nanoseconds{0};
}

void OtherServers::send_alive(ServerAlive alive, const Moment& now) {
  for (auto& [name, server] : servers_) {
    if (!server.follows) continue;
    alive.time.reset();
    if (const auto asked = std::exchange(server.asks_time, {}))
      alive.time = server_time(clock_, *asked, server.asked_time, now.wall);
    server.send(rpc_notification("server.alive", to_json(alive)));
  }
}

std::optional<NeededDelay> OtherServers::delay_needed(LocalTime now) const {
  std::optional<NeededDelay> longest;
  for (const auto& [name, server] : servers_)
    if (server.follows && !server.heart.is_silent(false, now)) longest = longer(longest, server.delay_needed);
  return longest;
}

std::vector<unsigned> OtherServers::wants_parity(LocalTime now) const {
  std::vector<unsigned> flows;
  for (const auto& [name, server] : servers_)
    if (server.follows && !server.heart.is_silent(false, now))
      flows.insert(flows.end(), server.wants_parity.begin(), server.wants_parity.end());
  return flows;
}

std::optional<Grown> OtherServers::grown(LocalTime now) const {
  std::optional<Grown> least;
  for (const auto& [name, server] : servers_) {
    if (!server.follows || server.heart.is_silent(false, now) || !server.grown) continue;
    if (!least) least = Grown{server.grown->frames, true};
    least->frames = std::min(least->frames, server.grown->frames);
    least->complete = least->complete && server.grown->complete;
  }
  return least;
}

void OtherServers::ask_silent(LocalTime now) {
  for (auto& [name, server] : servers_) {
    if (!server.send || now < server.next_ask || !server.heart.is_silent(false, now)) continue;
    server.next_ask = now + ask_interval;
    ask(name);
  }
}

bool OtherServers::is_silent(const std::string& name, bool plays, LocalTime now) const {
  const auto found = servers_.find(name);
  return found != servers_.end() && (!found->second.follows || found->second.heart.is_silent(plays, now));
}

std::vector<std::string> OtherServers::silent(bool plays, LocalTime now) const {
  std::vector<std::string> silent;
  for (const auto& [name, server] : servers_)
    if (is_silent(name, plays, now)) silent.push_back(name);
  return silent;
}

void OtherServers::ask_for_libraries(LocalTime now) {
  for (auto& [name, server] : servers_) {
    if (!server.follows) continue;
    if (const auto question = server.library.take_question(now))
      server.send(rpc_request(library_id, "server.library", to_json(*question)));
  }
}

void OtherServers::have_libraries_scanned() {
  for (auto& [name, server] : servers_)
    if (server.follows) server.send(rpc_notification("server.scan", Json::object()));
}

const OtherLibrary* OtherServers::library_of(const std::string& name) const {
  const auto found = servers_.find(name);
  return found == servers_.end() || !found->second.follows || !found->second.library.known() ? nullptr
                                                                                             : &found->second.library;
}

std::vector<std::string> OtherServers::remove(const std::string& visualization, LocalTime now) {
  removals_.push_back({visualization, now + remove_after});
  std::vector<std::string> others;
  for (const auto& [name, server] : servers_)
    if (!server.follows) others.push_back(name);
  return others;
}

void OtherServers::send_removals(LocalTime now) {
  for (const auto& removal : removals_) {
    if (now < removal.due) continue;
    const auto text = rpc_request(std::string(remove_id) + removal.visualization, "server.delete",
                                  Json{{"name", removal.visualization}});
    for (const auto& [name, server] : servers_) {
      const auto& library = server.library;
      const bool lacks = library.known() && library.complete() && library.find(removal.visualization) == nullptr;
      if (server.follows && !lacks) server.send(text);
    }
  }
  std::erase_if(removals_, [now](const Removal& removal) { return now >= removal.due; });
}

void OtherServers::take_remove_answer(const std::string& name, const std::string& visualization,
                                      const RpcResponse& answer, const Moment& now) {
  if (answer.error)
    tell(Severity::error, "library",
         fmt::format("server {} has not deleted {}: {}", name, visualization, *answer.error), now);
  else
    tell(Severity::info, "library", fmt::format("server {} has deleted {}", name, visualization), now);
}

// Counts as running until the server has answered.
void OtherServers::begin_imports(const ImportRequest& request) {
  const auto text = rpc_request(import_id, "server.import", to_json(request));
  for (auto& [name, server] : servers_) {
    ImportMessage import;
    import.server = name;
    import.number = server.import ? server.import->number + 1 : 1;
    import.input = request.input;
    import.name = request.name.value_or("");
    if (!server.follows) {
      import.status = ImportStatus::failed;
      import.reason = "it is not connected";
    }
    server.import = std::move(import);
    server.import_asked = server.follows;
    if (server.follows) server.send(text);
  }
}

void OtherServers::take_import_answer(Server& server, const RpcResponse& answer) {
  if (!std::exchange(server.import_asked, false)) return;
  const auto number = answer.result.is_object() && answer.result.contains("number")
                          ? whole_number(answer.result["number"])
                          : std::nullopt;
  if (number) server.import->number = *number;
  if (number && !answer.error) return;
  server.import->status = ImportStatus::failed;
  server.import->reason =
      short_text(answer.error.value_or("an answer that cannot be read"), ImportMessage::reason_bytes_max);
}

// Reports from before the newest request are of the import before.
void OtherServers::take_import(const std::string& name, Server& server, ImportMessage import) {
  if (server.import_asked || (server.import && import.number < server.import->number)) return;
  import.server = name;
  server.import = std::move(import);
}

void OtherServers::cancel_imports() {
  const auto text = rpc_notification("server.import.cancel", Json::object());
  for (auto& [name, server] : servers_)
    if (server.send) server.send(text);
}

std::optional<ImportMessage> OtherServers::import_of(const std::string& name) const {
  const auto found = servers_.find(name);
  return found == servers_.end() ? std::nullopt : found->second.import;
}

// Those of this server are its own figures; those of a standby count while the server that it stands for is not heard.
bool OtherServers::reports_flow(const std::string& name, unsigned flow, const Moment& now) const {
  if (flow >= wall_.flow_count()) return false;
  const auto tile = wall_.tile_of_flow(flow);
  if (std::ranges::binary_search(own_tiles_, tile)) return false;
  const auto& primary = wall_.server_of(tile);
  if (primary.name == name) return true;
  const auto* standby = wall_.standby_of(primary);
  return standby != nullptr && standby->name == name && !reports(primary.name, now);
}

bool OtherServers::reports(const std::string& name, const Moment& now) const {
  const auto found = servers_.find(name);
  return found != servers_.end() && found->second.report && now.local - found->second.reported < report_age_most;
}

std::vector<SenderFlowReport> OtherServers::flows(const Moment& now) const {
  std::vector<SenderFlowReport> flows;
  for (const auto& [name, server] : servers_) {
    if (!reports(name, now)) continue;
    for (const auto& flow : server.report->flows)
      if (reports_flow(name, flow.flow, now)) flows.push_back(flow);
  }
  return flows;
}

// Of a server and its standby, as of their flows.
OthersSites OtherServers::sites(const Moment& now) const {
  OthersSites sites;
  for (const auto& primary : wall_.servers) {
    const auto* standby = wall_.standby_of(primary);
    if (primary.standby != Standby::none || &primary == &self_ || standby == &self_) continue;
    const auto* heard = reports(primary.name, now) ? &primary : standby;
    if (heard == nullptr || !reports(heard->name, now)) {
      sites.complete = false;
      continue;
    }
    const auto& more = servers_.at(heard->name).report->sites;
    sites.reports.insert(sites.reports.end(), more.begin(), more.end());
  }
  return sites;
}

}  // namespace lw
