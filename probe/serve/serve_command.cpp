#include "probe/serve/serve_command.h"

#include "common/access/certificate.h"
#include "common/access/gate.h"
#include "common/access/peer_address.h"
#include "common/base/whole_number.h"
#include "common/command_line/command_line.h"
#include "common/host/nic.h"
#include "common/host/state_folder.h"
#include "common/net/address.h"
#include "common/web/web_server.h"
#include "probe/call/serving_probe.h"
#include "probe/serve/allowed_clients.h"
#include "probe/serve/serve_limits.h"
#include "probe/serve/serving_host.h"
#include "probe/stamp/reflector.h"

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
  bool interrupts = false, udt = false, hardware_stamps = false;
  std::string listen = "127.0.0.1:" + std::to_string(probe_port);
  std::vector<std::string> allow;
  std::string files;
  std::string state;
  double gbit_per_s_max = 0;
  double seconds_max = ServeLimits().seconds;
  std::optional<std::string> stamp_port;  // empty: the protocol's default
  std::string stamp_key, stamp_extension_key;
  bool stamp_ptp = false, stamp_stateless = false, stamp_answer_short = false;
};

// Off loopback, --allow accepts clients by address, without encryption; otherwise clients need TLS and a token.
Result<std::optional<CertificateFiles>> certificate_for(const std::filesystem::path& state) {
  auto own = own_certificate(state);
  if (!own) return own.error();
  const auto fingerprint = fingerprint_of(own->certificate);
  if (!fingerprint) return fingerprint.error();
  spdlog::info("clients with a token of wall-server --add-token may measure; the certificate: {}", *fingerprint);
  return std::optional(std::move(*own));
}

Result<StampReflector::Settings> stamp_settings(const ServeOptions& options, const std::string& host,
                                                const AllowedClients& allowed) {
  StampReflector::Settings settings;
  const auto port =
      options.stamp_port->empty() ? std::optional(stamp_port) : whole_number<std::uint16_t>(*options.stamp_port);
  if (!port) return Error{"--stamp " + *options.stamp_port + " is not a port", "write a number from 1 to 65535"};
  settings.listen = Address::parse(host, *port).value();
  settings.allows = [allowed](const Address& client) { return allowed.has(client); };
  settings.stateful = !options.stamp_stateless;
  settings.hardware_stamps = options.hardware_stamps;
  settings.rules.mode = options.stamp_key.empty() ? StampMode::unauthenticated : StampMode::authenticated;
  settings.rules.format = options.stamp_ptp ? StampTimeFormat::ptp : StampTimeFormat::ntp;
  settings.rules.answer_short = options.stamp_answer_short;
  const auto& file = options.stamp_key.empty() ? options.stamp_extension_key : options.stamp_key;
  if (file.empty()) return settings;
  auto key = StampKey::load(file);
  if (!key) return key.error();
  settings.key = std::move(*key);
  return settings;
}

// Null if not requested.
Result<std::unique_ptr<StampReflector>> start_stamp(const ServeOptions& options, const std::string& host,
                                                    const AllowedClients& allowed) {
  if (!options.stamp_port) return std::unique_ptr<StampReflector>();
  auto settings = stamp_settings(options, host, allowed);
  if (!settings) return settings.error();
  auto reflector = StampReflector::start(std::move(*settings));
  if (reflector)
    spdlog::info("reflecting STAMP{} at {}{}", options.stamp_key.empty() ? "" : ", authenticated,",
                 (*reflector)->local_address().text(), options.allow.empty() ? ", for this host only" : "");
  return reflector;
}

void log_stamp(const StampReflector& reflector) {
  const auto counts = reflector.counts();
  spdlog::info(
      "STAMP: answered {}; not answered: {} from addresses that are not allowed, {} too short, {} not authentic",
      counts.answered, counts.not_allowed, counts.too_short, counts.not_authentic);
  if (counts.not_sent > 0) spdlog::warn("STAMP: {} replies could not be sent", counts.not_sent);
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
  const ServeLimits limits{given ? options.gbit_per_s_max : link_gbit_per_s(read_nics()), given, options.seconds_max,
                           options.udt};
  const auto stamp = start_stamp(options, where->host, *allowed);
  if (!stamp) return stamp.error();
  boost::asio::io_context io;
  ServingHost host(
      {std::move(*allowed), std::move(gate), options.files, limits, options.interrupts, options.hardware_stamps});
  const auto server = WebServer::listen(io, where->host, *port, host.handlers(), {}, security);
  if (!server) return server.error();
  spdlog::info("waiting for measurements at {}; Ctrl-C ends", options.listen);
  while (!stop) {
    io.run_for(look_up);
    host.step(LocalClock::now());
  }
  if (*stamp) log_stamp(**stamp);
  return 0;
}

void add_stamp_options(CLI::App& app, ServeOptions& options) {
  begin_group(app, "STAMP");
  auto* stamp = app.add_option("--stamp", options.stamp_port,
                               "Reflect STAMP and TWAMP-Light test packets at this UDP port (default: 862), for the "
                               "hosts of --allow and this one")
                    ->option_text("[PORT]")
                    ->expected(0, 1);
  app.add_option("--stamp-key", options.stamp_key,
                 "Only authenticated packets, with the key in this file: one line of hex digits")
      ->option_text("FILE")
      ->needs(stamp);
  app.add_option("--stamp-extension-key", options.stamp_extension_key,
                 "Unauthenticated packets, whose extensions are signed with this key")
      ->option_text("FILE")
      ->needs(stamp)
      ->excludes("--stamp-key");
  app.add_flag("--stamp-stateless", options.stamp_stateless, "Do not count the packets of each session")->needs(stamp);
  app.add_flag("--stamp-ptp", options.stamp_ptp, "Times in PTP's format instead of NTP's")->needs(stamp);
  app.add_flag("--stamp-answer-short", options.stamp_answer_short,
               "Also answer TWAMP-Light packets of 14 to 40 bytes, with 44 bytes (RFC 8762 section 4.6)")
      ->needs(stamp);
}

}  // namespace

Command serve_command(CLI::App& program) {
  auto options = std::make_shared<ServeOptions>();
  auto* app = program.add_subcommand("serve", "Serve as the other side of measurements by `run` and `sweep`");
  begin_group(*app, "Access");
  app->add_option("--listen", options->listen, "Address of the control connection")
      ->option_text("ADDRESS:PORT")
      ->capture_default_str();
  app->add_option("--allow", options->allow,
                  "Addresses or networks that may measure with this host, without encryption (10.0.0.0/24); this "
                  "host always may. Without it, other hosts need TLS and a token of wall-server --add-token")
      ->delimiter(',')
      ->option_text("ADDRESS[,...]");
  app->add_option("--state", options->state,
                  "Folder for certificate and tokens (default: $STATE_DIRECTORY or ~/.local/state/lambdawall)")
      ->option_text("DIR");
  app->add_option("--files", options->files, "A directory for records and sinks that clients request (default: none)")
      ->check(existing_folder())
      ->option_text("DIR");
  begin_group(*app, "Limits");
  app->add_flag("--interrupts", options->interrupts,
                "Let clients choose the CPU that serves what arrives here (receiver_interrupt_cpu); needs root");
  app->add_flag("--udt", options->udt, "Run UDT's library for clients of other hosts (loads of protocol udt)");
  app->add_flag("--hardware-stamps", options->hardware_stamps,
                "Let clients request arrival times by this host's network cards, and use them for --stamp; needs root "
                "and a card's address in --listen");
  app->add_option(
         "--max-gbit-per-s", options->gbit_per_s_max,
         "Maximum rate that this host sends for a client, all loads together (default: the rate of its fastest "
         "interface, for other hosts' clients)")
      ->option_text("GBIT")
      ->check(number_between(1e-6, 1e9));
  app->add_option("--max-seconds", options->seconds_max, "Maximum duration of a measurement including warm-up")
      ->option_text("SECONDS")
      ->check(number_between(1e-6, 1e9))
      ->capture_default_str();
  add_stamp_options(*app, *options);
  set_examples(*app, {{"for the hosts of a network", "wall-probe serve --listen 0.0.0.0:9020 --allow 10.0.0.0/24"}});
  return {app, [options](const std::atomic<bool>& stop) { return serve(*options, stop); }};
}

}  // namespace lw
