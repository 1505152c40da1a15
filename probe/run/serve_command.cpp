#include "probe/run/serve_command.h"

#include "common/base/whole_number.h"
#include "common/control/access_role.h"
#include "common/control/certificate.h"
#include "common/control/gate.h"
#include "common/control/peer_address.h"
#include "common/control/reports.h"
#include "common/control/rpc.h"
#include "common/control/web_server.h"
#include "common/host/state_folder.h"
#include "common/net/address.h"
#include "probe/call/json_value.h"
#include "probe/call/serving_probe.h"
#include "probe/doctor/wall_rounds.h"
#include "probe/run/allowed_clients.h"
#include "probe/run/peer.h"
#include "probe/run/run_side.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace lw {
namespace {

constexpr std::chrono::milliseconds look_up{100};

struct ServeOptions {
  std::string listen = "127.0.0.1:" + std::to_string(probe_port);
  std::vector<std::string> allow;
  std::string files;
  std::string state;
};

// One measurement at a time; it belongs to the connection that prepared it, and ends with that.
class Host {
public:
  // `gate`: lets in by tokens, where not by address.
  Host(AllowedClients allowed, std::optional<Gate> gate, std::filesystem::path files)
      : allowed_(std::move(allowed)), gate_(std::move(gate)), files_(std::move(files)) {}

  WebHandlers handlers() {
    WebHandlers handlers{[this](WebPeer& peer) { opened(peer); },
                         [this](WebPeer& peer, std::string_view text) { on_message(peer, text); },
                         [this](WebPeer& peer) { closed(peer); }, [this](std::string_view path) { return get(path); }};
    if (gate_) handlers.admit = [this](const WebRequest& request) { return gate_->admit(request, LocalClock::now()); };
    return handlers;
  }
  // Takes in what has changed of the tokens; who came in by one that is there no more is sent away.
  void refresh() {
    if (!gate_) return;
    gate_->refresh();
    for (auto* peer : peers_)
      if (!gate_->knows(peer->visitor())) peer->close("the token was removed");
  }

private:
  static std::string host_of(const WebPeer& peer) {
    const auto parts = split_host_port(peer.address());
    return parts ? parts->host : peer.address();
  }
  void opened(WebPeer& peer) {
    peers_.insert(&peer);
    if (gate_) return;  // that let it in
    const auto address = Address::parse(host_of(peer), 0);
    if (address && allowed_.has(*address)) return;
    spdlog::warn("{} is sent away: not among those of --allow", peer.address());
    peer.close("not allowed; start wall-probe serve with --allow for this address");
  }
  void closed(WebPeer& peer) {
    peers_.erase(&peer);
    if (owner_ != &peer) return;
    if (side_) spdlog::warn("{} went away in the middle of a measurement", peer.address());
    side_.reset();
    owner_ = nullptr;
  }
  HttpReply get(std::string_view path) {
    if (path == "/healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
    if (path != "/metrics") return {404, "text/plain; charset=utf-8", "there is /metrics and /healthz\n"};
    auto text = fmt::format(
        "# HELP lambdawall_probe_measurements_total Measurements that clients started\n"
        "# TYPE lambdawall_probe_measurements_total counter\nlambdawall_probe_measurements_total {}\n"
        "# HELP lambdawall_probe_measuring Whether one is under way\n"
        "# TYPE lambdawall_probe_measuring gauge\nlambdawall_probe_measuring {}\n",
        measurements_, side_ ? 1 : 0);
    if (side_) text += side_->metrics_text();
    return {200, "text/plain; version=0.0.4; charset=utf-8", text};
  }
  void on_message(WebPeer& peer, std::string_view text) {
    auto message = parse_rpc(text);
    if (const auto* failure = std::get_if<RpcFailure>(&message)) return peer.send(rpc_failure(*failure));
    const auto* request = std::get_if<RpcRequest>(&message);
    if (request == nullptr || request->notification) return;
    auto done = answer(peer, *request);
    peer.send(done ? rpc_result(request->id, *done)
                   : rpc_failure({request->id, rpc_code::cannot, done.error().text()}));
  }
  Result<Json> answer(WebPeer& peer, const RpcRequest& request) {
    const bool looks_only = request.method == "hello" || request.method == "doctor";
    const auto needed = looks_only ? AccessRole::view : AccessRole::operate;
    if (!may(peer.visitor().role, needed))
      return Error{fmt::format("the token has not the role {}", name_of(needed)),
                   fmt::format("use one of wall-server --add-token NAME --role {}", name_of(needed))};
    if (request.method == "hello") return hello(peer, request.params);
    if (request.method == "doctor") return answer_doctor(request.params);
    if (request.method == "prepare") return prepare(peer, request.params);
    if (owner_ != &peer || !side_) return Error{"no measurement is prepared", "call prepare first"};
    if (request.method == "progress") return json_value(side_->progress());
    if (request.method == "start") {
      ++measurements_;
      const auto started = side_->start();
      return started ? json_value(Json::object()) : started.error();
    }
    if (request.method == "stop_sending") {
      side_->stop_sending();
      return json_value(Json::object());
    }
    if (request.method == "finish") {
      auto json = side_->finish();
      side_.reset();
      owner_ = nullptr;
      spdlog::info("measured for {}", peer.address());
      return json_value(std::move(json));
    }
    return Error{"no method '" + request.method + "'",
                 "hello, doctor, prepare, start, progress, stop_sending and finish are"};
  }
  static Result<Json> hello(const WebPeer& peer, const Json& json) {
    Params params(json);
    const auto version = params.integer("version", 0, 1'000'000);
    if (const auto problem = params.problem()) return Error{*problem, ""};
    if (version != protocol_version)
      return Error{fmt::format("version {} of the protocol, not {}", protocol_version, version),
                   "run the same version of wall-probe on both hosts"};
    return json_value({{"your_address", host_of(peer)}, {"version", protocol_version}});
  }
  Result<Json> prepare(WebPeer& peer, const Json& json) {
    if (side_ && owner_ != &peer) return Error{"another client is measuring", "wait for it"};
    Params params(json);
    params.known("run");
    const auto own = params.text("your_address");
    if (const auto problem = params.problem()) return Error{*problem, ""};
    if (!Address::parse(own, 0)) return Error{"your_address is no address", ""};
    auto run = parse_run(json.value("run", Json()));
    if (!run) return run.error();
    // Clients name no files of this host.
    const auto folder = files_ / fmt::format("{}-{}", to_iso8601(WallClock::now()), measurements_);
    for (auto& load : run->loads) {
      const bool to_file = load.sink != "memory" && load.sink != "none";
      if (!to_file && load.records == Records::none) continue;
      if (files_.empty())
        return Error{"this wall-probe serve writes no files",
                     "start it with --files DIR, or leave sink and records out"};
      if (to_file) load.sink = files_;
    }
    side_.reset();
    auto side = RunSide::prepare(*run, Role::server, {own, host_of(peer)}, folder);
    if (!side) return side.error();
    side_ = std::move(*side);
    owner_ = &peer;
    return json_value(Json::object());
  }

  const AllowedClients allowed_;
  std::optional<Gate> gate_;
  std::set<WebPeer*> peers_;
  const std::filesystem::path files_;
  std::unique_ptr<RunSide> side_;
  const WebPeer* owner_ = nullptr;
  std::uint64_t measurements_ = 0;
};

// Off loopback those of --allow are let in by their address, unencrypted; without it everybody with a token, by TLS.
Result<std::optional<CertificateFiles>> certificate_for(const std::filesystem::path& state) {
  auto own = own_certificate(state);
  if (!own) return own.error();
  const auto fingerprint = fingerprint_of(own->certificate);
  if (!fingerprint) return fingerprint.error();
  spdlog::info("whoever has a token of wall-server --add-token may measure; the certificate: {}", *fingerprint);
  return std::optional(std::move(*own));
}

Result<int> serve(const ServeOptions& options, const std::atomic<bool>& stop) {
  const auto where = split_host_port(options.listen);
  const auto port = where ? whole_number<std::uint16_t>(where->port) : std::nullopt;
  if (!port || !Address::parse(where->host, *port))
    return Error{"--listen " + options.listen + " is no address with a port", "write it like 10.0.0.2:9020"};
  auto allowed = AllowedClients::parse(options.allow);
  if (!allowed) return allowed.error();
  WebSecurity security;
  std::optional<Gate> gate;
  if (!is_loopback(where->host) && options.allow.empty()) {
    const auto state = state_folder(options.state);
    if (!state) return state.error();
    auto certificate = certificate_for(*state);
    if (!certificate) return certificate.error();
    security.certificate = std::move(*certificate);
    gate.emplace(*state);
  }
  boost::asio::io_context io;
  Host host(std::move(*allowed), std::move(gate), options.files);
  const auto server = WebServer::listen(io, where->host, *port, host.handlers(), {}, security);
  if (!server) return server.error();
  spdlog::info("waiting for measurements at {}; Ctrl-C ends", options.listen);
  while (!stop) {
    io.run_for(look_up);
    host.refresh();
  }
  return 0;
}

}  // namespace

Command serve_command(CLI::App& program) {
  auto options = std::make_shared<ServeOptions>();
  auto* app = program.add_subcommand("serve", "Be the other side of measurements that `run` and `sweep` make");
  app->add_option("--listen", options->listen, "ADDRESS:PORT of the control connection")->capture_default_str();
  app->add_option(
         "--allow", options->allow,
         "Addresses or networks whose programs may measure with this host, without encryption (10.0.0.0/24); this "
         "host's always may. Without it, from other hosts by TLS and with a token of wall-server --add-token only")
      ->delimiter(',');
  app->add_option("--state", options->state,
                  "What is kept: certificate, tokens (default: $STATE_DIRECTORY or ~/.local/state/lambdawall)")
      ->option_text("DIR");
  app->add_option("--files", options->files, "A directory for records and sinks that clients ask for (default: none)")
      ->check(CLI::ExistingDirectory);
  return {app, [options](const std::atomic<bool>& stop) { return serve(*options, stop); }};
}

}  // namespace lw
