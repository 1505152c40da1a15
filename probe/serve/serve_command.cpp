#include "probe/serve/serve_command.h"

#include "common/access/certificate.h"
#include "common/access/gate.h"
#include "common/access/peer_address.h"
#include "common/base/whole_number.h"
#include "common/host/nic.h"
#include "common/host/state_folder.h"
#include "common/net/address.h"
#include "common/web/web_server.h"
#include "probe/call/serving_probe.h"
#include "probe/serve/allowed_clients.h"
#include "probe/serve/serve_limits.h"
#include "probe/serve/serving_host.h"

#include <spdlog/spdlog.h>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

namespace lw {
namespace {

constexpr std::chrono::milliseconds look_up{100};

struct ServeOptions {
  std::string listen = "127.0.0.1:" + std::to_string(probe_port);
  std::vector<std::string> allow;
  std::string files;
  std::string state;
  double gbit_per_s_max = 0;
  double seconds_max = ServeLimits().seconds;
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
    return Error{"--listen " + options.listen + " is not an address with a port", "write it like 10.0.0.2:9020"};
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
  const bool given = options.gbit_per_s_max > 0;
  const ServeLimits limits{given ? options.gbit_per_s_max : link_gbit_per_s(read_nics()), given, options.seconds_max};
  boost::asio::io_context io;
  ServingHost host({std::move(*allowed), std::move(gate), options.files, limits});
  const auto server = WebServer::listen(io, where->host, *port, host.handlers(), {}, security);
  if (!server) return server.error();
  spdlog::info("waiting for measurements at {}; Ctrl-C ends", options.listen);
  while (!stop) {
    io.run_for(look_up);
    host.step(LocalClock::now());
  }
  return 0;
}

}  // namespace

Command serve_command(CLI::App& program) {
  auto options = std::make_shared<ServeOptions>();
  auto* app = program.add_subcommand("serve", "Serve as the other side of measurements by `run` and `sweep`");
  app->add_option("--listen", options->listen, "ADDRESS:PORT of the control connection")->capture_default_str();
  app->add_option("--allow", options->allow,
                  "Addresses or networks that may measure with this host, without encryption (10.0.0.0/24); this "
                  "host always may. Without it, other hosts need TLS and a token of wall-server --add-token")
      ->delimiter(',');
  app->add_option("--state", options->state,
                  "Folder for certificate and tokens (default: $STATE_DIRECTORY or ~/.local/state/lambdawall)")
      ->option_text("DIR");
  app->add_option("--files", options->files, "A directory for records and sinks that clients request (default: none)")
      ->check(CLI::ExistingDirectory);
  app->add_option(
         "--max-gbit-per-s", options->gbit_per_s_max,
         "Maximum rate that this host sends for a client, all loads together (default: the rate of its fastest "
         "interface, for other hosts' clients)")
      ->option_text("GBIT")
      ->check(CLI::PositiveNumber);
  app->add_option("--max-seconds", options->seconds_max, "Maximum duration of a measurement including warm-up")
      ->option_text("SECONDS")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return {app, [options](const std::atomic<bool>& stop) { return serve(*options, stop); }};
}

}  // namespace lw
