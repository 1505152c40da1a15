#include "probe/impair/impair_command.h"

#include "common/base/print.h"
#include "common/base/whole_number.h"
#include "common/command_line/command_line.h"
#include "probe/impair/impair_report.h"
#include "probe/impair/impair_script.h"
#include "probe/impair/relay.h"

#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <thread>

namespace lw {
namespace {

struct ImpairOptions {
  RelaySettings relay;
  std::string listen;
  std::string to;
  std::string from;
  std::string distribution = "normal";
  double delay_ms = 0, jitter_ms = 0, loss_percent = 0, loss_burst = 1, duplicate_percent = 0, corrupt_percent = 0,
         reorder_percent = 0, rate_gbit = 0, queue_ms = 50, seconds = 0;
  unsigned reorder_by = 8;
  unsigned dscp = 0, ecn = 0;
  unsigned corrupt_bytes = 0;
  std::size_t memory_mib = 256;
  bool reorder_by_jitter = false;
  bool both = false;
  bool json = false;
  std::string script;
};

// "127.0.0.1:50000-50007", "[::1]:50000"; empty for other texts.
struct PortRange {
  std::string host;
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};
std::optional<PortRange> parse_ports(std::string_view text) {
  const auto parts = split_host_port(text);
  if (!parts) return {};
  const std::string_view ports = parts->port;
  const auto dash = ports.find('-');
  const auto first = whole_number<std::uint16_t>(ports.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : whole_number<std::uint16_t>(ports.substr(dash + 1));
  if (first.value_or(0) == 0 || last.value_or(0) == 0) return {};
  const PortRange range{parts->host, *first, *last};
  if (range.last < range.first || !Address::parse(range.host, range.first)) return {};
  return range;
}

Result<void> read_addresses(ImpairOptions& options) {
  const Error wrong{"", "write ADDRESS:PORT or ADDRESS:FIRST-LAST with a numeric address, like 127.0.0.2:50000-50007"};
  const auto listen = parse_ports(options.listen);
  if (!listen) return Error{"--listen " + options.listen + " is not an address with ports", wrong.mend};
  const auto to = parse_ports(options.to);
  if (!to) return Error{"--to " + options.to + " is not an address with a port", wrong.mend};
  options.relay.listen = listen->host;
  options.relay.listen_port = listen->first;
  options.relay.ports = listen->last - listen->first + 1U;
  options.relay.target = to->host;
  options.relay.target_port = to->first;
  if (options.relay.ports > 256) return Error{"more than 256 ports", "start a second relay for the others"};
  if (options.from.empty()) return {};
  const auto from = parse_ports(options.from);
  if (!from) return Error{"--from " + options.from + " is not an address with a port", wrong.mend};
  options.relay.from = from->host;
  options.relay.from_port = from->first;
  return {};
}

Impairment impairment_of(const ImpairOptions& options) {
  const auto time = [](double ms) { return Nanoseconds{static_cast<std::int64_t>(ms * 1e6)}; };
  Impairment impairment;
  impairment.loss = options.loss_percent / 100;
  impairment.loss_burst = options.loss_burst;
  impairment.delay = time(options.delay_ms);
  impairment.jitter = time(options.jitter_ms);
  impairment.distribution = parse_jitter(options.distribution).value_or(Jitter::normal);
  impairment.keep_order = !options.reorder_by_jitter;
  impairment.duplicate = options.duplicate_percent / 100;
  impairment.corrupt = options.corrupt_percent / 100;
  impairment.corrupt_bytes = options.corrupt_bytes;
  impairment.reorder = options.reorder_percent / 100;
  impairment.reorder_by = options.reorder_by;
  if (options.rate_gbit > 0) impairment.rate = BitRate::gbit(options.rate_gbit);
  impairment.queue = time(options.queue_ms);
  return impairment;
}

// Delays below 0 become 0, which changes the distribution.
void warn_of_cut_delays(const Impairment& impairment) {
  if (impairment.jitter <= Nanoseconds{0}) return;
  const JitterLaw law(impairment.distribution, impairment.jitter);
  const double share = law.share_below(-static_cast<double>(impairment.delay.count()));
  if (share > 0.001)
    spdlog::warn(
        "{:.1f} % of the delays would be below 0 and become 0; for the configured distribution use a larger "
        "--delay-ms or a smaller --jitter-ms",
        100 * share);
}

// Prints a line each second and the result at the end.
class ImpairReporter {
public:
  ImpairReporter(const Relay& relay, bool json) : relay_(relay), json_(json) {}

  void print_line(LocalTime now) {
    const auto bytes = relay_.forward_counts().bytes;
    const double seconds = seconds_since(last_, now);
    const double gbit = seconds > 0 ? static_cast<double>(bytes - bytes_before_) * 8e-9 / seconds : 0;
    bytes_before_ = bytes;
    last_ = now;
    if (json_)
      print_json(seconds_since(start_, now), gbit);
    else
      print_text(seconds_since(start_, now), gbit);
    std::fflush(stdout);
  }
  void print_result(LocalTime now) {
    if (json_) return print_line(now);
    print_out("forward:  {}\n", direction_text(relay_.forward_counts(), relay_.forward_times()));
    print_out("backward: {}\n", direction_text(relay_.backward_counts(), relay_.backward_times()));
    std::fflush(stdout);
  }

private:
  static double seconds_since(LocalTime from, LocalTime to) { return std::chrono::duration<double>(to - from).count(); }
  void print_json(double since_start, double gbit) const {
    const nlohmann::json line{{"time_s", since_start},
                              {"gbit_per_s", gbit},
                              {"forward", direction_json(relay_.forward_counts(), relay_.forward_times())},
                              {"backward", direction_json(relay_.backward_counts(), relay_.backward_times())}};
    print_out("{}\n", line.dump());
  }
  void print_text(double since_start, double gbit) const {
    const auto counts = relay_.forward_counts();
    const auto own_drops = counts.own_drops() + relay_.backward_counts().own_drops();
    print_out(
        "{:6.1f} s  {:7.3f} Gbit/s  {:10} packets  lost {}  queue full {}  duplicated {}  changed {}  overtaken {}{}\n",
        since_start, gbit, counts.received, counts.lost, counts.queue_full, counts.duplicated, counts.corrupted,
        counts.reordered, own_drops > 0 ? fmt::format("  DROPPED BY THE RELAY {}", own_drops) : "");
  }

  const Relay& relay_;
  bool json_;
  LocalTime start_ = LocalClock::now();
  LocalTime last_ = start_;
  std::uint64_t bytes_before_ = 0;
};

Result<int> impair(ImpairOptions options, const std::atomic<bool>& stop) {
  if (auto read = read_addresses(options); !read) return read.error();
  const auto base = impairment_of(options);
  options.relay.forward = base;
  if (options.both) options.relay.backward = base;
  options.relay.forward_class = static_cast<std::uint8_t>(options.dscp << 2U | options.ecn);
  if (options.both) options.relay.backward_class = options.relay.forward_class;
  options.relay.memory_bytes = options.memory_mib << 20U;
  warn_of_cut_delays(base);
  std::vector<ImpairStep> steps;
  if (!options.script.empty()) {
    auto loaded = load_impair_script(options.script, base);
    if (!loaded) return loaded.error();
    steps = std::move(*loaded);
    for (const auto& step : steps) warn_of_cut_delays(step.impairment);
  }
  const auto relay = Relay::start(options.relay);
  if (!relay) return relay.error();
  spdlog::info("{} ports from {} to {}; Ctrl-C ends", options.relay.ports, options.listen, options.to);

  const auto start = LocalClock::now();
  auto next_report = start + std::chrono::seconds{1};
  std::size_t step = 0;
  ImpairReporter reporter(**relay, options.json);
  const auto seconds_since_start = [&] { return std::chrono::duration<double>(LocalClock::now() - start).count(); };
  while (!stop && (options.seconds <= 0 || seconds_since_start() < options.seconds)) {
    for (; step < steps.size() && LocalClock::now() >= start + steps[step].at; ++step) {
      (*relay)->change(steps[step].impairment, options.both ? steps[step].impairment : Impairment{});
      spdlog::info("step {} of {}", step + 1, steps.size());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
    if (LocalClock::now() < next_report) continue;
    next_report += std::chrono::seconds{1};
    reporter.print_line(LocalClock::now());
  }
  reporter.print_result(LocalClock::now());
  return 0;
}

void add_path_options(CLI::App& app, ImpairOptions& options) {
  begin_group(app, "Path");
  app.add_option("--listen", options.listen, "Where packets come in")->option_text("ADDRESS:PORT[-LAST]")->required();
  app.add_option("--to", options.to, "Where they go: of the first port; the others follow")
      ->option_text("ADDRESS:PORT")
      ->required();
  app.add_option("--from", options.from,
                 "Where they leave from: of the first port (default: the --listen address, any port)")
      ->option_text("ADDRESS:PORT");
  app.add_flag("--both", options.both, "Also impair the return path");
}

void add_delay_options(CLI::App& app, ImpairOptions& options) {
  begin_group(app, "Delay and order");
  app.add_option("--delay-ms", options.delay_ms, "Time that each packet takes")
      ->check(number_between(0, 10'000))
      ->option_text("MS");
  app.add_option("--jitter-ms", options.jitter_ms, "How much that time varies: see --distribution")
      ->check(number_between(0, 10'000))
      ->option_text("MS");
  app.add_option("--distribution", options.distribution,
                 "Of the delay: uniform (+- jitter), normal (standard deviation jitter), exponential or pareto (mean "
                 "jitter on top). In order, the delay changes by at most half a second a second. Below 0 it is 0")
      ->check(one_of({"uniform", "normal", "exponential", "pareto"}))
      ->option_text("NAME")
      ->capture_default_str();
  app.add_flag("--reorder-by-jitter", options.reorder_by_jitter, "Let a packet overtake one that is delayed longer");
  app.add_option("--reorder-percent", options.reorder_percent,
                 "Packets that are held back until --reorder-by others have gone by")
      ->check(number_between(0, 100))
      ->option_text("PERCENT");
  app.add_option("--reorder-by", options.reorder_by, "How many packets overtake one that is held back")
      ->check(whole_between(1, 100'000))
      ->capture_default_str();
}

void add_damage_options(CLI::App& app, ImpairOptions& options) {
  begin_group(app, "Loss and damage");
  app.add_option("--loss-percent", options.loss_percent, "Packets that are lost")
      ->check(number_between(0, 100))
      ->option_text("PERCENT");
  app.add_option("--loss-burst", options.loss_burst, "Mean packets of a loss (Gilbert's model); 1: each by itself")
      ->check(number_between(1, 1e6))
      ->option_text("PACKETS");
  app.add_option("--duplicate-percent", options.duplicate_percent, "Packets that arrive twice")
      ->check(number_between(0, 100))
      ->option_text("PERCENT");
  app.add_option("--corrupt-percent", options.corrupt_percent, "Packets of which one bit of the payload is changed")
      ->check(number_between(0, 100))
      ->option_text("PERCENT");
  app.add_option("--corrupt-bytes", options.corrupt_bytes, "Only among the first so many bytes of a packet")
      ->check(whole_between(1, 65'535));
  app.add_option("--set-dscp", options.dscp, "DSCP with which packets leave, whatever they came with")
      ->check(whole_between(0, 63))
      ->capture_default_str();
  app.add_option("--set-ecn", options.ecn, "ECN with which packets leave: 3 is the mark of congestion (RFC 3168)")
      ->check(whole_between(0, 3))
      ->capture_default_str();
}

void add_rate_options(CLI::App& app, ImpairOptions& options) {
  begin_group(app, "Rate");
  app.add_option("--rate-gbit", options.rate_gbit, "Of each port's path, UDP payload")
      ->check(number_between(1e-6, 1000, true))
      ->option_text("GBIT");
  app.add_flag("--share-rate", options.relay.share_rate, "All ports share one link of this rate, in each direction");
  app.add_option("--queue-ms", options.queue_ms, "The longest wait for the rate; what would wait longer is dropped")
      ->check(number_between(0, 10'000))
      ->option_text("MS")
      ->capture_default_str();
  app.add_option("--memory-mib", options.memory_mib, "For packets in flight, per port and direction")
      ->check(whole_between(1, 65'536))
      ->option_text("MIB")
      ->capture_default_str();
}

void add_options(CLI::App& app, ImpairOptions& options) {
  add_path_options(app, options);
  add_delay_options(app, options);
  add_damage_options(app, options);
  add_rate_options(app, options);
  begin_group(app, "Run");
  app.add_option("--seed", options.relay.seed, "The same packets meet the same fate again")
      ->option_text("N")
      ->capture_default_str();
  app.add_option("--script", options.script, "A TOML file of [[step]]s that change this over time")
      ->option_text("FILE");
  app.add_option("--seconds", options.seconds, "End after this time")
      ->check(number_between(0.1, 1e6))
      ->option_text("SECONDS");
  begin_group(app, general_options);
  app.add_flag("--json", options.json, "A line of JSON each second; the last one is the result");
  set_examples(app, {{"lose one packet in a hundred",
                      "wall-probe impair --listen 0.0.0.0:5000 --to 192.0.2.7:5000 --loss-percent 1"}});
}

}  // namespace

Command impair_command(CLI::App& program) {
  auto options = std::make_shared<ImpairOptions>();
  auto* app =
      program.add_subcommand("impair", "A UDP relay that loses, delays, reorders, duplicates and changes packets");
  add_options(*app, *options);
  return {app, [options](const std::atomic<bool>& stop) { return impair(*options, stop); }};
}

}  // namespace lw
