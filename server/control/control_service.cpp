#include "server/control/control_service.h"

#include "common/access/access_role.h"
#include "common/access/peer_address.h"
#include "common/messages/iso_time.h"
#include "common/metrics/exposition.h"
#include "server/control/reply_limits.h"
#include "server/control/service_impl.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>

namespace lw {
namespace {

using Impl = ControlService::Impl;

constexpr std::size_t events_kept = 200;
constexpr std::chrono::milliseconds tick_interval{20};
constexpr unsigned ticks_per_stats = 5;   // 10 Hz
constexpr unsigned ticks_per_state = 25;  // 2 Hz
constexpr unsigned ticks_per_look_at_tokens = 50;
constexpr unsigned ticks_per_look_at_library = 100;
constexpr std::size_t name_shown_max = 80;

struct Method {
  std::string_view name;
  std::variant<RpcReply (Impl::*)(const Json&), RpcReply (Impl::*)(const Json&, const Caller&)> run;
};

// docs/protocol.md has them, too; a test compares. What role each needs: common/access/access_role.
const std::array methods{
    Method{"info", &Impl::info},
    Method{"list", &Impl::list},
    Method{"image", &Impl::image},
    Method{"plan", &Impl::plan},
    Method{"describe", &Impl::describe},
    Method{"delete", &Impl::remove},
    Method{"state", &Impl::state},
    Method{"load", &Impl::load},
    Method{"play", &Impl::play},
    Method{"pause", &Impl::pause},
    Method{"stop", &Impl::stop},
    Method{"seek", &Impl::seek},
    Method{"rate", &Impl::rate},
    Method{"loop", &Impl::loop},
    Method{"playlist", &Impl::playlist},
    Method{"next", &Impl::next},
    Method{"identify", &Impl::identify},
    Method{"mark", &Impl::mark},
    Method{"pattern", &Impl::pattern},
    Method{"subscribe", &Impl::subscribe},
    Method{"unsubscribe", &Impl::unsubscribe},
    Method{"stats", &Impl::stats},
    Method{"trace", &Impl::trace},
    Method{"machines", &Impl::machines},
    Method{"placement", &Impl::placement},
    Method{"place", &Impl::place},
    Method{"node.hello", &Impl::node_hello},
    Method{"node.report", &Impl::node_report},
    Method{"node.picture", &Impl::node_picture},
    Method{"node.machine", &Impl::node_machine},
    Method{"node.frames", &Impl::node_frames},
};

}  // namespace

Impl::Impl(boost::asio::io_context& io, const Wall& wall, Library& library, Session& session, PlanFunction plan,
           const std::filesystem::path& state)
    : wall_(wall),
      library_(library),
      session_(session),
      plan_(std::move(plan)),
      timer_(io),
      tiles_(wall.tile_count()),
      skew_(wall.tile_count()),
      flights_(wall.flow_count()),
      system_clock_(wall.phc) {
  if (!state.empty()) gate_.emplace(state);
  for (const auto& band : all_bands(wall)) {
    losses_.emplace_back(band.flow, band.tile);
    two_paths_.emplace_back(band.flow, band.tile);
  }
  for (const auto& node : wall.nodes) nodes_[node.name] = {};
  tick();
}

Result<void> Impl::listen(boost::asio::io_context& io, const WebSecurity& security) {
  const auto& host = wall_.server.control_host;
  if (!is_loopback(host) && !(security.certificate && gate_))
    return Error{"the control plane would listen on " + host + " for everybody, without encryption or a password",
                 "give it a folder for certificate and tokens with --state"};
  WebHandlers handlers;
  handlers.opened = [this](WebPeer& peer) { peers_.insert(&peer); };
  handlers.message = [this](WebPeer& peer, std::string_view text) {
    hear(peer, LocalClock::now());
    if (auto reply = answer(text, {&peer}); !reply.empty()) peer.send(std::move(reply));
  };
  handlers.closed = [this](WebPeer& peer) { peer_closed(peer); };
  handlers.get = [this](std::string_view path) -> HttpReply {
    if (path == "/metrics") return {200, std::string(exposition_type), metrics_text()};
    if (path == "/healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
    return {404, "text/plain; charset=utf-8", "here are /metrics, /healthz and JSON-RPC 2.0 over WebSocket\n"};
  };
  if (gate_) handlers.admit = [this](const WebRequest& request) { return gate_->admit(request, LocalClock::now()); };
  WebLimits limits;
  limits.unread_bytes = std::max(limits.unread_bytes, queued_bytes_max(wall_));
  auto server = WebServer::listen(io, host, wall_.server.control_port, std::move(handlers), limits, security);
  if (!server) return server.error();
  server_ = std::move(*server);
  return {};
}

// Who came in by a token that is there no more.
void Impl::send_away_removed() {
  if (!gate_) return;
  gate_->tell_attempts(LocalClock::now());
  gate_->refresh();
  for (auto* peer : peers_)
    if (!gate_->knows(peer->visitor())) peer->close("the token was removed");
}

std::string Impl::answer(std::string_view text, const Caller& caller) {
  auto message = parse_rpc(text);
  if (const auto* failure = std::get_if<RpcFailure>(&message)) return rpc_failure(*failure);
  const auto* request = std::get_if<RpcRequest>(&message);
  if (request == nullptr) return {};  // an answer to a question we never asked
  auto reply = run(*request, caller);
  if (request->notification) return {};
  if (auto* failure = std::get_if<RpcFailure>(&reply)) {
    failure->id = request->id;
    return rpc_failure(*failure);
  }
  auto result = rpc_result(request->id, std::get<Json>(reply));
  // Never, as far as we know; but an operator must not be locked out by what somebody else put into an answer.
  if (const auto limit = reply_bytes_max(wall_); result.size() > limit)
    return rpc_failure({request->id, rpc_code::cannot,
                        fmt::format("the answer has {} bytes, more than the {} that one may have; ask for less of it",
                                    result.size(), limit)});
  return result;
}

RpcReply Impl::run(const RpcRequest& request, const Caller& caller) {
  const auto method = std::ranges::find(methods, request.method, &Method::name);
  if (method == methods.end())
    return RpcFailure{nullptr, rpc_code::unknown_method,
                      "there is no method '" + request.method.substr(0, name_shown_max) + "'; info lists them"};
  const auto visitor = caller.visitor();
  const auto needed = role_needed(request.method);
  if (needed && !may(visitor.role, *needed)) {
    auto words = fmt::format("{} needs the role {}; {} has {}", request.method, name_of(*needed), visitor.name,
                             name_of(visitor.role));
    write_attempt(request, caller, "refused: " + words);
    return RpcFailure{nullptr, rpc_code::forbidden, std::move(words)};
  }
  // Whatever a call runs into (memory, a file system), the wall goes on playing.
  RpcReply reply;
  try {
    reply = std::visit(
        [&](auto handler) -> RpcReply {
          if constexpr (std::is_invocable_v<decltype(handler), Impl*, const Json&>)
            return (this->*handler)(request.params);
          else
            return (this->*handler)(request.params, caller);
        },
        method->run);
  } catch (const std::exception& exception) {
    spdlog::error("{}: {}", request.method, exception.what());
    reply = RpcFailure{nullptr, rpc_code::internal_error, request.method + " failed: " + exception.what()};
  }
  write_audit(request, caller, std::get_if<RpcFailure>(&reply));
  return reply;
}

// What nodes report ten times a second changes nothing. What failed did not either, but for what works on files and
// threads, which may have come half-way.
void Impl::write_audit(const RpcRequest& request, const Caller& caller, const RpcFailure* failure) {
  if (!gate_ || caller.peer == nullptr) return;
  const auto needed = role_needed(request.method);
  const bool administers = needed == AccessRole::administer;
  if (needed != AccessRole::operate && !administers && request.method != "node.hello") return;
  const auto outcome = failure == nullptr ? "done" : "failed: " + failure->message;
  const bool changed =
      failure == nullptr ? request.method != "node.hello" : administers && failure->code != rpc_code::bad_params;
  if (!changed) return write_attempt(request, caller, outcome);
  gate_->write_change(caller.peer->visitor(), caller.peer->address(), request.method, request.params, outcome);
}

void Impl::write_attempt(const RpcRequest& request, const Caller& caller, std::string_view outcome) {
  if (!gate_ || caller.peer == nullptr) return;
  gate_->write_attempt(caller.peer->visitor(), caller.peer->address(), request.method, request.params, outcome,
                       LocalClock::now());
}

std::vector<std::string> Impl::method_names() {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const auto& method : methods) names.emplace_back(method.name);
  return names;
}

void Impl::tell_event(const PlayEvent& event, const std::optional<std::string>& node) {
  constexpr std::array<std::string_view, 3> names{"info", "warning", "error"};
  const auto level = event.severity == Severity::info      ? spdlog::level::info
                     : event.severity == Severity::warning ? spdlog::level::warn
                                                           : spdlog::level::err;
  spdlog::log(level, "{}: {}", event.code, event.text);
  Json json{{"seq", ++event_count_},
            {"time", to_iso8601(WallClock::now())},
            {"severity", names[static_cast<std::size_t>(event.severity)]},
            {"code", event.code},
            {"text", event.text}};
  if (node) json["node"] = *node;
  if (event.tile) json["tile"] = {event.tile->column, event.tile->row};
  if (event.flow) json["flow"] = *event.flow;
  events_.push_back(json);
  if (events_.size() > events_kept) events_.pop_front();
  notify("event", json, &Subscription::events, false);
}

void Impl::peer_closed(WebPeer& peer) {
  peers_.erase(&peer);
  subscribers_.erase(&peer);
  tell_who_wants_pictures();
  const auto found = node_of_peer_.find(&peer);
  if (found == node_of_peer_.end()) return;
  auto& node = nodes_[found->second];
  if (node.peer == &peer) {
    node.peer = nullptr;
    node.machine.reset();
    node.report.reset();  // its figures are history, not the state of a tile
    on_event({Severity::warning, "node-lost", "node " + found->second + " is gone: its connection closed", {}, {}},
             found->second);
  }
  node_of_peer_.erase(found);
}

void Impl::notify(std::string_view method, const Json& params, bool Subscription::*wanted, bool droppable) {
  if (subscribers_.empty()) return;
  const auto text = std::make_shared<const std::string>(rpc_notification(method, params));
  for (const auto& [peer, subscription] : subscribers_)
    if (wanted == nullptr || subscription.*wanted) peer->send(text, droppable);
}

void Impl::tick() {
  // Evenly, but never in a burst after a stall.
  timer_.expires_at(std::max(timer_.expiry() + tick_interval, LocalClock::now()));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    on_tick();
    tick();
  });
}

void Impl::on_tick() {
  session_.poll();
  take_records();
  limit_.flush(LocalClock::now());
  ++ticks_;
  if (ticks_ % ticks_per_stats == 0) {
    look_for_silent_nodes(LocalClock::now());
    collect_stats();
  }
  if (ticks_ % ticks_per_look_at_tokens == 0) send_away_removed();
  if (ticks_ % ticks_per_look_at_library == 0) look_at_library();
  const auto state = session_.state();
  const bool is_new = state.revision != revision_told_;
  if (is_new || (state.status == PlayStatus::playing && ticks_ % ticks_per_state == 0)) tell_state(is_new);
}

ControlService::ControlService(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ControlService::~ControlService() = default;

Result<std::unique_ptr<ControlService>> ControlService::start(boost::asio::io_context& io, const Wall& wall,
                                                              Library& library, Session& session, PlanFunction plan,
                                                              const ControlAccess& access) {
  auto impl = std::make_unique<Impl>(io, wall, library, session, std::move(plan), access.state);
  const WebSecurity security{access.certificate, access.trust_this_host, access.names,
                             ", or name it with wall-server --control-name"};
  if (const auto listening = impl->listen(io, security); !listening) return listening.error();
  return std::unique_ptr<ControlService>(new ControlService(std::move(impl)));
}

void ControlService::on_event(const PlayEvent& event) { impl_->on_event(event); }
std::vector<std::string> ControlService::method_names() const { return Impl::method_names(); }
std::string ControlService::answer(std::string_view message) { return impl_->answer(message, {}); }
std::string ControlService::metrics_text() const { return impl_->metrics_text(); }

}  // namespace lw
