#include "probe/serve/serving_host.h"

#include "common/access/access_role.h"
#include "common/access/peer_address.h"
#include "common/clock/kernel_clock.h"
#include "common/messages/iso_time.h"
#include "probe/call/json_value.h"
#include "probe/capacity/capacity_session.h"
#include "probe/doctor/wall_rounds.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::uint16_t port_min = 1024;  // lowest port to which a client may have a cookie sent

std::string host_of(const WebPeer& peer) {
  const auto parts = split_host_port(peer.address());
  return parts ? parts->host : peer.address();
}

Result<Json> hello(const WebPeer& peer, const Json& json) {
  Params params(json);
  const auto version = params.integer("version", 0, 1'000'000);
  if (const auto problem = params.problem()) return Error{*problem, ""};
  if (version != protocol_version)
    return Error{fmt::format("version {} of the protocol, not {}", protocol_version, version),
                 "run the same version of wall-probe on both hosts"};
  return json_value({{"your_address", host_of(peer)}, {"version", protocol_version}, {"boot_id", boot_id()}});
}

}  // namespace

WebHandlers ServingHost::handlers() {
  WebHandlers handlers{[this](WebPeer& peer) { peers_.emplace(&peer, AddressProofs()); },
                       [this](WebPeer& peer, std::string_view text) { on_message(peer, text); },
                       [this](WebPeer& peer) { closed(peer); }, [this](std::string_view path) { return get(path); }};
  handlers.admit = [this](const WebRequest& request) { return admit(request); };
  return handlers;
}

// Figures are for clients that may measure: with --allow, only their addresses identify them.
std::variant<Visitor, HttpReply> ServingHost::admit(const WebRequest& request) {
  if (settings_.gate) return settings_.gate->admit(request, LocalClock::now());
  if (!request.upgrade && request.path == "/healthz") return Visitor();
  const auto address = Address::parse(request.host, 0);
  if (address && settings_.allowed.has(*address)) return Visitor();
  spdlog::warn("{} is sent away: not among those of --allow", request.host);
  return HttpReply{403, "text/plain", "not allowed; start wall-probe serve with --allow for this address\n"};
}

void ServingHost::step(LocalTime now) {
  if (settings_.gate) {
    settings_.gate->refresh();
    for (auto& [peer, proofs] : peers_)
      if (!settings_.gate->knows(peer->visitor())) peer->close("the token was removed");
  }
  if (!measuring() || now < due_) return;
  if (side_ && phase_ == Phase::started) {
    side_->stop_sending();
    phase_ = Phase::stopped;
    due_ = now + finish_within;
    return;
  }
  spdlog::warn("{} leaves its measurement unfinished, which ends now", owner_->address());
  let_go();
}

void ServingHost::let_go() {
  side_.reset();
  capacity_.reset();
  owner_ = nullptr;
}

void ServingHost::closed(WebPeer& peer) {
  peers_.erase(&peer);
  if (owner_ != &peer) return;
  if (measuring()) spdlog::warn("{} went away in the middle of a measurement", peer.address());
  let_go();
}

HttpReply ServingHost::get(std::string_view path) {
  if (path == "/healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
  if (path != "/metrics") return {404, "text/plain; charset=utf-8", "this port serves /metrics and /healthz\n"};
  auto text = fmt::format(
      "# HELP lambdawall_probe_measurements_total Measurements that clients started\n"
      "# TYPE lambdawall_probe_measurements_total counter\nlambdawall_probe_measurements_total {}\n"
      "# HELP lambdawall_probe_measuring Whether a measurement is running\n"
      "# TYPE lambdawall_probe_measuring gauge\nlambdawall_probe_measuring {}\n",
      measurements_, measuring() ? 1 : 0);
  if (side_) text += side_->metrics_text();
  return {200, "text/plain; version=0.0.4; charset=utf-8", text};
}

void ServingHost::on_message(WebPeer& peer, std::string_view text) {
  auto message = parse_rpc(text);
  if (const auto* failure = std::get_if<RpcFailure>(&message)) return peer.send(rpc_failure(*failure));
  const auto* request = std::get_if<RpcRequest>(&message);
  if (request == nullptr || request->notification) return;
  auto done = answer(peer, *request);
  peer.send(done ? rpc_result(request->id, *done) : rpc_failure({request->id, rpc_code::cannot, done.error().text()}));
}

Result<Json> ServingHost::answer(WebPeer& peer, const RpcRequest& request) {
  const bool looks_only = request.method == "hello" || request.method == "doctor";
  const auto needed = looks_only ? AccessRole::view : AccessRole::operate;
  if (!may(peer.visitor().role, needed))
    return Error{fmt::format("the token has not the role {}", name_of(needed)),
                 fmt::format("use one of wall-server --add-token NAME --role {}", name_of(needed))};
  if (request.method == "hello") return hello(peer, request.params);
  if (request.method == "doctor") return answer_doctor(request.params);
  if (request.method == "challenge") return challenge(peer, request.params);
  if (request.method == "prepare") return prepare(peer, request.params);
  if (request.method == "prepare_capacity") return prepare_capacity(peer, request.params);
  if (request.method == "finish_capacity") return finish_capacity(peer);
  if (owner_ != &peer || !side_) return Error{"no measurement is prepared", "call prepare first"};
  if (request.method == "progress") return json_value(side_->progress(intervals_told_max));
  if (request.method == "start") return start();
  if (request.method == "stop_sending") {
    side_->stop_sending();
    return json_value(Json::object());
  }
  if (request.method == "finish") return finish(peer);
  return Error{"no method '" + request.method + "'",
               "hello, doctor, challenge, prepare, start, progress, stop_sending, finish, prepare_capacity and "
               "finish_capacity are"};
}

Result<Json> ServingHost::challenge(WebPeer& peer, const Json& json) {
  Params params(json);
  const auto own = params.text("your_address");
  const auto addresses = params.optional_texts("addresses").value_or(std::vector<std::string>());
  const auto port = params.integer("port", port_min, UINT16_MAX);
  if (const auto problem = params.problem()) return Error{*problem, ""};
  const auto sent =
      peers_[&peer].challenge(own, addresses, static_cast<std::uint16_t>(port), challenges_, LocalClock::now());
  return sent ? json_value(Json::object()) : sent.error();
}

Result<RunSpec> ServingHost::checked_run(WebPeer& peer, const Json& json) {
  Params params(json);
  params.known("run");
  const auto cookies = params.optional_texts("cookies").value_or(std::vector<std::string>());
  for (const auto* name : {"your_address", "one_host"}) params.known(name);
  if (const auto problem = params.problem()) return Error{*problem, ""};
  auto run = parse_run(json.value("run", Json()), RunFrom::peer);
  if (!run) return run;
  const auto client = Address::parse(host_of(peer), 0);
  if (!client) return client.error();
  if (const auto within = check_limits(*run, settings_.limits, is_loopback(host_of(peer))); !within)
    return within.error();
  const auto moves = [](const LoadSpec& load) {
    return load.receiver_interrupt_cpu >= 0 && load.direction == Direction::forward;
  };
  if (!settings_.interrupts && std::ranges::any_of(run->loads, moves))
    return Error{"this wall-probe serve moves no interrupts", "start it with --interrupts, as root"};
  const auto stamps = [](const LoadSpec& load) { return load.hardware_stamps && load.direction != Direction::reverse; };
  if (!settings_.hardware_stamps && std::ranges::any_of(run->loads, stamps))
    return Error{"this wall-probe serve does not enable hardware time stamps",
                 "start it with --hardware-stamps, as root"};
  const auto proofs = peers_.find(&peer);
  for (const auto& text : addresses_sent_to(*run)) {
    const auto address = Address::parse(text, 0);
    if (!address) return address.error();
    if (address->same_host(*client) || (proofs != peers_.end() && proofs->second.prove(*address, cookies))) continue;
    return Error{fmt::format("no proof that {} accepts packets from here", text),
                 fmt::format("measure from {}, or run the same version of wall-probe on both hosts", host_of(peer))};
  }
  return run;
}

Result<Json> ServingHost::prepare(WebPeer& peer, const Json& json) {
  if (measuring() && owner_ != &peer) return Error{"another client is measuring", "wait for it"};
  Params params(json);
  const auto own = params.text("your_address");
  const bool one_host = params.boolean_or("one_host", false);
  for (const auto* name : {"run", "cookies"}) params.known(name);
  if (const auto problem = params.problem()) return Error{*problem, ""};
  if (!Address::parse(own, 0)) return Error{"your_address is not an address", ""};
  auto run = checked_run(peer, json);
  if (!run) return run.error();
  // Clients must not name files of this host.
  const auto& files = settings_.files;
  const auto folder = files / fmt::format("{}-{}", to_iso8601(WallClock::now()), measurements_);
  for (auto& load : run->loads) {
    const bool to_file = load.sink != "memory" && load.sink != "none";
    if (!to_file && load.records == Records::none) continue;
    if (files.empty())
      return Error{"this wall-probe serve writes no files", "start it with --files DIR, or leave sink and records out"};
    if (to_file) load.sink = files;
  }
  let_go();
  auto side = RunSide::prepare(*run, Role::server, {own, host_of(peer), one_host}, folder);
  if (!side) return side.error();
  side_ = std::move(*side);
  owner_ = &peer;
  phase_ = Phase::prepared;
  run_seconds_ = run->warm_up_s + run->duration_s;
  due_ = LocalClock::now() + start_within;
  return json_value(Json::object());
}

Result<Json> ServingHost::start() {
  if (phase_ != Phase::prepared) return Error{"the measurement was started already", "prepare another one"};
  ++measurements_;
  phase_ = Phase::started;
  due_ = LocalClock::now() + overtime +
         std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(run_seconds_));
  if (const auto started = side_->start(); !started) {
    let_go();
    return started.error();
  }
  return json_value(Json::object());
}

Result<Json> ServingHost::finish(const WebPeer& peer) {
  auto json = side_->finish();
  let_go();
  spdlog::info("measured for {}", peer.address());
  return json_value(std::move(json));
}

// Its end waits for the client's call from now on. In reverse it sends to the host that the client calls from, and to
// no other.
Result<Json> ServingHost::prepare_capacity(WebPeer& peer, const Json& json) {
  if (measuring() && owner_ != &peer) return Error{"another client is measuring", "wait for it"};
  Params params(json);
  params.known("capacity");
  const auto own = params.text("your_address");
  if (const auto problem = params.problem()) return Error{*problem, ""};
  auto spec = parse_capacity(json.value("capacity", Json()));
  if (!spec) return spec.error();
  const auto local = Address::parse(own, spec->port);
  const auto client = Address::parse(host_of(peer), 0);
  if (!local) return local.error();
  if (!client) return client.error();
  if (const auto within = limit_capacity(*spec, settings_.limits, is_loopback(host_of(peer))); !within)
    return within.error();
  const auto session = new_session();
  if (!session) return session.error();
  let_go();
  auto end = CapacityEnd::start(*spec, {*local, {}, spec->reverse ? std::optional(*client) : std::nullopt, *session});
  if (!end) return end.error();
  capacity_ = std::move(*end);
  owner_ = &peer;
  ++measurements_;
  due_ = LocalClock::now() + overtime + nanoseconds_of(spec->duration_s);
  return json_value({{"session", session_text(*session)}, {"gbit_per_s_max", spec->gbit_per_s_max}});
}

Result<Json> ServingHost::finish_capacity(const WebPeer& peer) {
  if (owner_ != &peer || !capacity_) return Error{"no capacity measurement is prepared", "call prepare_capacity first"};
  auto json = capacity_->finish();
  let_go();
  spdlog::info("measured a capacity for {}", peer.address());
  return json_value(std::move(json));
}

}  // namespace lw
