#include "probe/capacity/capacity_command.h"

#include "common/base/print.h"
#include "common/base/whole_number.h"
#include "common/command_line/command_line.h"
#include "probe/call/credential_options.h"
#include "probe/capacity/capacity_session.h"
#include "probe/measure/result_files.h"

#include <memory>
#include <optional>

namespace lw {
namespace {

struct CapacityOptions {
  CredentialOptions credentials;
  std::string to, via, from, results;
  Json spec = Json::object();
  bool json_lines = false;
};

Result<CapacityPath> path_of(const CapacityOptions& options) {
  CapacityPath path{options.to, {}, {}, options.credentials};
  if (!options.via.empty()) {
    const auto parts = split_host_port(options.via);
    const auto port = parts ? whole_number<std::uint16_t>(parts->port) : std::nullopt;
    const auto via = port ? Address::parse(parts->host, *port) : Result<Address>(Error{"", ""});
    if (!via) return Error{"--via " + options.via + " is not an address with a port", "write it like 10.0.0.2:50000"};
    path.via = *via;
  }
  if (options.from.empty()) return path;
  const auto from = Address::parse(options.from, 0);
  if (!from) return from.error();
  path.from = *from;
  return path;
}

Result<int> capacity(const CapacityOptions& options, const std::atomic<bool>& stop) {
  auto spec = parse_capacity(options.spec);
  if (!spec) return spec.error();
  const auto path = path_of(options);
  if (!path) return path.error();
  std::optional<ResultFiles> files;
  if (!options.results.empty()) {
    auto created = ResultFiles::create(options.results, "capacity");
    if (!created) return created.error();
    files.emplace(std::move(*created));
  }
  const auto outcome = measure_capacity(*spec, *path, stop);
  if (!outcome) return outcome.error();
  const auto result = capacity_result(*spec, *outcome);
  if (options.json_lines)
    print_out("{}\n", Json{{"event", "result"}, {"data", result}}.dump());
  else
    print_out("{}", capacity_text(result));
  if (files)
    if (const auto written = files->finish(result); !written) return written.error();
  if (result.at("complete").get<bool>()) return 0;
  if (outcome->sent.packets == 0 && outcome->sent.send_errors > 0)
    return Error{fmt::format("datagrams of {} bytes do not fit the path to {}", spec->datagram_bytes, outcome->to),
                 "choose a smaller --length"};
  return Error{"ended early: " + result.at("error").get<std::string>(),
               fmt::format("let UDP port {} of the server through the firewalls; is a relay in the way?", spec->port)};
}

template <class T>
CLI::Option* member(CLI::App& app, CapacityOptions& options, const char* names, const char* key, const char* help) {
  return app.add_option_function<T>(
      names, [&options, key](const T& value) { options.spec[key] = value; }, help);
}

void add_search_options(CLI::App& app, CapacityOptions& options) {
  begin_group(app, "Search");
  member<double>(app, options, "--feedback-ms", "feedback_ms", "Between two reports of the receiver (default: 50)")
      ->option_text("MS");
  member<unsigned>(app, options, "--sequence-errors", "sequence_errors",
                   "More missing, duplicated and reordered packets in a report are congestion (default: 10)");
  member<double>(app, options, "--delay-low-ms", "delay_low_ms",
                 "The rate rises while the delay range is below this (default: 30)")
      ->option_text("MS");
  member<double>(app, options, "--delay-high-ms", "delay_high_ms", "A larger delay range is congestion (default: 90)")
      ->option_text("MS");
  member<unsigned>(app, options, "--congested-after", "congested_after",
                   "Reports of congestion after which the search takes single steps (default: 3)");
  member<unsigned>(app, options, "--fast-rows", "fast_rows", "Rows of the table per step before that (default: 10)");
  app.add_flag_function(
      "--one-way", [&options](std::int64_t) { options.spec["one_way"] = true; },
      "Search by the range of the one-way delay instead of the round trip's");
}

void add_options(CLI::App& app, CapacityOptions& options) {
  begin_group(app, "Path");
  app.add_option("-c,--to", options.to,
                 "A `wall-probe serve`, numeric (default: both sides in this program, on loopback)")
      ->option_text("ADDRESS[:PORT]");
  app.add_flag_function(
      "-R,--reverse", [&options](std::int64_t) { options.spec["reverse"] = true; },
      "Measure the path from the server to this host");
  member<std::uint16_t>(app, options, "--port", "port", "UDP port of the server (default: 50000)")->option_text("PORT");
  app.add_option("--via", options.via, "A relay (wall-probe impair) that passes on to that port")
      ->option_text("ADDRESS:PORT");
  app.add_option("-B,--from", options.from, "Numeric address of this host to measure from")->option_text("ADDRESS");
  begin_group(app, "Packets");
  member<double>(app, options, "-t,--seconds", "duration_s", "Duration of the test (default: 10)")
      ->option_text("SECONDS");
  member<double>(app, options, "-i,--interval", "interval_s", "Length of a sub-interval (default: 1)")
      ->option_text("SECONDS");
  member<unsigned>(app, options, "-l,--length", "datagram_bytes",
                   "UDP payload of each packet; packets are not fragmented (default: 1222)")
      ->option_text("BYTES");
  member<unsigned>(app, options, "--dscp", "dscp", "Class of service of the packets, 0 to 63");
  member<double>(app, options, "--start-gbit", "start_gbit_per_s", "The first rate, at the IP layer (default: 0.0005)")
      ->option_text("GBIT");
  member<double>(app, options, "--max-gbit", "gbit_per_s_max", "The highest rate, at the IP layer (default: 400)")
      ->option_text("GBIT");
  add_search_options(app, options);
  add_credential_options(app, options.credentials);
  begin_group(app, general_options);
  app.add_option("--results", options.results, "A directory for the result: runs/capacity.json")->option_text("DIR");
  app.add_flag("-J,--json", options.json_lines, "Print the result as JSON");
  set_examples(app, {{"the path to a host that runs wall-probe serve", "wall-probe capacity --to 192.0.2.7"}});
}

}  // namespace

Command capacity_command(CLI::App& program) {
  auto options = std::make_shared<CapacityOptions>();
  auto* app = program.add_subcommand("capacity", "Find the highest rate that a path carries (RFC 9097)");
  add_options(*app, *options);
  return {app, [options](const std::atomic<bool>& stop) { return capacity(*options, stop); }};
}

}  // namespace lw
