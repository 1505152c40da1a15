#include "probe/run/run_command.h"

#include "common/base/print.h"
#include "common/base/read_file.h"
#include "common/base/text_table.h"
#include "common/command_line/command_line.h"
#include "common/net/address.h"
#include "probe/call/credential_options.h"
#include "probe/call/json_value.h"
#include "probe/measure/measurement.h"
#include "probe/measure/result_files.h"
#include "probe/measure/run_trace.h"
#include "probe/trace/burst_trace.h"
#include "probe/trace/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lw {
namespace {

constexpr std::size_t run_bytes_max = std::size_t{1} << 20U;

using nlohmann::json;

struct RunOptions {
  CredentialOptions credentials;
  std::vector<std::string> to;
  std::string file, results, rate, trace;
  json load = json::object();
  double duration_s = 10, warm_up_s = 1, interval_s = 1;
  bool tcp = false, udp = false, udt = false, reverse = false, both = false, json_lines = false, dry_run = false;
  unsigned requests = 0, tos = 0;
  bool bursts = false;
  std::string length, window;
  std::vector<std::string> read;
};

// "10G", "2.5M", "64K", "1000": decimal for rates, as in iperf3, and powers of 1024 for bytes.
std::optional<double> with_suffix(const std::string& text, double kilo) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    return {};
  }
  const auto suffix = text.substr(used);
  if (suffix.size() > 1 || value < 0) return {};
  if (suffix.empty()) return value;
  const auto power = std::string_view("KMGT").find(static_cast<char>(std::toupper(suffix[0])));
  if (power == std::string_view::npos) return {};
  for (std::size_t i = 0; i <= power; ++i) value *= kilo;
  return value;
}

Result<void> put_number(json& load, const char* name, const char* option, const std::string& text, double kilo,
                        double scale, bool whole) {
  if (text.empty()) return {};
  const auto value = with_suffix(text, kilo);
  if (!value) return Error{fmt::format("{} {} is not a number", option, text), "write it like 1400, 64K, 2.5G"};
  if (whole)
    load[name] = static_cast<std::uint64_t>(*value * scale);
  else
    load[name] = *value * scale;
  return {};
}

Result<json> read_run_file(const RunOptions& options) {
  const auto read = read_file(options.file, run_bytes_max, "name a JSON file of a run, as a result has it in \"load\"");
  if (!read) return read.error();
  auto run = json::parse(*read, nullptr, false);
  if (run.is_discarded()) return Error{options.file + " is not JSON", "see docs/probe.md"};
  return json_value(std::move(run));
}

// Parses "ADDRESS" or "ADDRESS:PORT".
std::optional<Address> numeric_host(const std::string& where) {
  auto address = Address::parse(where, 0);
  if (const auto parts = split_host_port(where); !address && parts) address = Address::parse(parts->host, 0);
  return address ? std::optional(*address) : std::nullopt;
}

Result<RunSpec> run_of(const RunOptions& options) {
  if (!options.file.empty()) {
    const auto read = read_run_file(options);
    if (!read) return read.error();
    auto run = parse_run(*read);
    if (run && !options.trace.empty() && std::ranges::none_of(run->loads, &LoadSpec::trace))
      return Error{"--trace needs a load of " + options.file + " that is traced", "write \"trace\": true in it"};
    return run;
  }
  auto load = options.load;
  const bool bursts = options.bursts || load.contains("bursts");
  const bool tcp = (options.tcp || options.requests > 0 || bursts) && !options.udt;
  load["protocol"] = !options.read.empty() ? "disk" : tcp ? "tcp" : options.udt ? "udt" : "udp";
  if (!options.read.empty()) load["directories"] = options.read;
  if (options.requests > 0) {
    load["pattern"] = "requests";
    load["concurrency"] = options.requests;
  }
  if (bursts) load["pattern"] = "bursts";
  if (options.both || options.reverse) load["direction"] = options.both ? "both" : "reverse";
  if (!options.trace.empty()) load["trace"] = true;
  if (options.tos > 0) load["dscp"] = options.tos >> 2U;
  if (const auto put = put_number(load, "gbit_per_s", "--rate", options.rate, 1000, 1e-9, false); !put)
    return put.error();
  if (const auto put =
          put_number(load, tcp ? "message_bytes" : "datagram_bytes", "--length", options.length, 1024, 1, true);
      !put)
    return put.error();
  if (const auto put =
          put_number(load, options.udt ? "window_bytes" : "buffer_bytes", "--window", options.window, 1024, 1, true);
      !put)
    return put.error();
  // IPv6 has larger headers.
  if (const auto there = options.to.size() == 1 ? numeric_host(options.to.front()) : std::nullopt;
      there && there->is_ipv6() && load.contains("rate_of") && !load.contains("to"))
    load["to"] = there->host();
  if (!tcp && !options.udt && options.read.empty() && !load.contains("gbit_per_s") && !load.contains("frame_bytes") &&
      !load.contains("source"))
    load["gbit_per_s"] = 1;
  return parse_run({{"duration_s", options.duration_s},
                    {"warm_up_s", options.warm_up_s},
                    {"interval_s", options.interval_s},
                    {"loads", json::array({load})}});
}

// The command line, so that a result shows how to repeat it.
std::string own_command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string line;
  for (std::string word; std::getline(in, word, '\0');) {
    if (line.empty()) word = "wall-probe";
    const bool plain = word.find_first_of(" '\"$`\\*?") == std::string::npos && !word.empty();
    line += (line.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return line;
}

std::string cell(const json& figures, const char* name, const char* format, double scale = 1) {
  const auto found = figures.find(name);
  if (found == figures.end() || !found->is_number()) return "-";
  return fmt::format(fmt::runtime(format), found->get<double>() * scale);
}

void print_interval(const json& entry) {
  const auto& interval = entry.at("interval");
  const auto rtp = interval.contains("lost");
  print_out("{:6.1f}-{:<6.1f} s  {} flow {} {:<7}  {:8.3f} Gbit/s{}\n", interval.value("begin_s", 0.0),
            interval.value("end_s", 0.0), entry.value("load", ""), entry.value("flow", 0U),
            entry.value("direction", ""), interval.value("gbit_per_s", 0.0),
            rtp ? fmt::format("  lost {}  jitter {} us", cell(interval, "lost", "{:.0f}"),
                              cell(interval, "jitter_us", "{:.1f}"))

                : "");
  std::fflush(stdout);
}

// The layer of the rate, for loads with layers.
std::string layers_text(const json& figures) {
  if (!figures.contains("ip_gbit_per_s")) return "";
  auto text = fmt::format(" of UDP payload (media {}, IP {}", cell(figures, "media_gbit_per_s", "{:.3f}"),
                          cell(figures, "ip_gbit_per_s", "{:.3f}"));
  if (figures.contains("ethernet_gbit_per_s")) text += ", Ethernet " + cell(figures, "ethernet_gbit_per_s", "{:.3f}");
  return text + ")";
}

void print_delays(const json& figures) {
  if (!figures.contains("pdv_us_p99")) return;
  if (figures.contains("one_way_us_p50"))
    print_out("one-way delay {} us at least, {} us (median); the clocks' error is at most {} us\n",
              cell(figures, "one_way_us_min", "{:.1f}"), cell(figures, "one_way_us_p50", "{:.1f}"),
              cell(figures, "clock_error_us", "{:.1f}"));
  else if (!figures.contains("clock_error_us"))
    print_out("one-way delay: clock error not known\n");
  if (figures.contains("clock_drift_ppm"))
    print_out("the clocks drift by {} ppm, which is not in pdv\n", cell(figures, "clock_drift_ppm", "{:.2f}"));
}

// Of each load with several flows; what was not measured is absent.
void print_median_flows(const json& figures) {
  static constexpr std::string_view rate = "flow_gbit_per_s_median";
  for (const auto& [name, value] : figures.items()) {
    if (!name.ends_with(rate)) continue;
    const auto load = name.substr(0, name.size() - rate.size());
    auto text = fmt::format("median flow{} {:.3f} Gbit/s", load.empty() ? "" : " of " + load.substr(0, load.size() - 1),
                            value.get<double>());
    const auto add = [&](const char* figure, const char* what, const char* format) {
      if (const auto key = load + figure; figures.contains(key))
        text += fmt::format(", {} {}", what, cell(figures, key.c_str(), format));
    };
    add("flow_loss_median", "loss", "{:.2g}");
    add("flow_jitter_us_median", "jitter", "{:.1f} us");
    add("flow_pdv_us_median", "pdv p99", "{:.1f} us");
    add("flow_one_way_us_median", "one-way delay", "{:.1f} us");
    print_out("{}\n", text);
  }
}

// Only if the card's were requested.
void print_stamps(const json& result) {
  const auto& figures = result.at("figures");
  if (!figures.contains("card_stamped")) return;
  std::set<std::string> kinds;
  for (const auto& flow : result.at("flows")) kinds.insert(flow.value("receive_stamps", std::string("kernel")));
  print_out("arrival times: {} ({} packets stamped by the card, with an error of at most {} us)\n",
            kinds.size() == 1 ? *kinds.begin() : "mixed", cell(figures, "card_stamped", "{:.0f}"),
            cell(figures, "card_error_us", "{:.2f}"));
}

void print_result(const json& result) {
  TextTable table({"load", "flow", "direction", "Gbit/s", "lost", "loss", "jitter us", "pdv p99 us", "rtt us",
                   "CPU s/GB sent", "received"},
                  "<><>>>>>>>>");
  for (const auto& flow : result.at("flows")) {
    const auto& figures = flow.at("figures");
    table.add({flow.at("load"), fmt::format("{}", flow.at("flow").get<unsigned>()), flow.at("direction"),
               cell(figures, "gbit_per_s", "{:.3f}"), cell(figures, "lost", "{:.0f}"), cell(figures, "loss", "{:.2g}"),
               cell(figures, "jitter_us_mean", "{:.1f}"), cell(figures, "pdv_us_p99", "{:.1f}"),
               cell(figures, "rtt_us", "{:.0f}"), cell(figures, "sender_cpu_s_per_gb", "{:.3f}"),
               cell(figures, "receiver_cpu_s_per_gb", "{:.3f}")});
  }
  print_out("{}", table.text());
  const auto& figures = result.at("figures");
  print_delays(figures);
  print_median_flows(figures);
  print_stamps(result);
  print_out("together {} Gbit/s{}, loss {}", cell(figures, "gbit_per_s", "{:.3f}"), layers_text(figures),
            cell(figures, "loss", "{:.2g}"));
  if (figures.contains("read_mib_per_s")) print_out(", read {} MiB/s", cell(figures, "read_mib_per_s", "{:.0f}"));
  if (figures.contains("messages_per_s"))
    print_out(", {} messages/s, {} us each (median)", cell(figures, "messages_per_s", "{:.0f}"),
              cell(figures, "message_us_p50", "{:.1f}"));
  print_out("\n");
  for (const auto& mark : result.at("marks"))
    print_out("MARKED: {}\n", printable(mark.value("note", mark.value("what", std::string()))));
}

Result<void> write_trace_of(RunTrace& frames, const json& result, const RunOptions& options) {
  const auto trace = frames.finish(result);
  if (!trace) return trace.error();
  if (auto written = write_trace(*trace, options.trace); !written) return written;
  const auto summary = trace_summary(*trace);
  if (options.json_lines)
    print_out("{}\n", json{{"event", "trace"}, {"data", summary}}.dump());
  else
    print_trace_summary(summary, options.trace);
  return {};
}

// Writes the trace of a load: the life of UDP frames, or the calls of TCP bursts.
class Recording {
public:
  explicit Recording(const LoadSpec& load) : sent_by_server_(is_sent_by_server(load)) {
    if (load.protocol == Protocol::udp) frames_.emplace(load);
  }
  void add(const json& frames) {
    if (!frames_ || untraced_) return;
    if (const auto added = frames_->add(frames); !added) untraced_ = added.error();
  }
  void add(const std::vector<CallRecord>& calls, std::uint64_t missing) {
    bursts_.calls = calls;
    bursts_.missing = missing;
  }
  Result<void> write(const json& result, const RunOptions& options) {
    if (untraced_) return *untraced_;
    return frames_ ? write_trace_of(*frames_, result, options) : write_bursts(result, options);
  }

private:
  Result<void> write_bursts(const json& result, const RunOptions& options) {
    if (bursts_.calls.empty()) return Error{"no burst was sent", "measure for longer"};
    const auto& hosts = result.at("hosts");
    const auto host = hosts.find(sent_by_server_ && hosts.contains("server") ? "server" : "client");
    if (host != hosts.end() && host->contains("name") && host->at("name").is_string())  // a peer may send anything
      bursts_.host = host->at("name").get<std::string>();
    if (auto written = write_trace_file(options.trace, [&](const auto& write) { write_burst_trace(bursts_, write); });
        !written)
      return written;
    const auto summary = burst_summary(bursts_);
    if (options.json_lines)
      print_out("{}\n", json{{"event", "trace"}, {"data", summary}}.dump());
    else
      print_burst_summary(summary, options.trace);
    return {};
  }

  const bool sent_by_server_;
  std::optional<RunTrace> frames_;
  std::optional<Error> untraced_;
  BurstTrace bursts_;
};

Result<int> run(const RunOptions& options, const std::atomic<bool>& stop) {
  const auto spec = run_of(options);
  if (!spec) return spec.error();
  if (options.dry_run) {
    print_out("{}\n", to_json(*spec).dump(2));
    return 0;
  }
  std::optional<ResultFiles> files;
  std::filesystem::path records = ".";
  if (!options.results.empty()) {
    auto created = ResultFiles::create(options.results, "run");
    if (!created) return created.error();
    files.emplace(std::move(*created));
    records = files->records();
  }
  const auto peers = find_peers(options.to, records, stop, options.credentials);
  if (!peers) return peers.error();
  std::optional<Error> unwritten;
  const auto on_interval = [&](const json& interval) {
    if (options.json_lines)
      print_out("{}\n", json{{"event", "interval"}, {"data", interval}}.dump());
    else
      print_interval(interval);
    if (!files || unwritten) return;
    if (const auto written = files->add_interval(interval); !written) unwritten = written.error();
  };
  const auto traced = std::ranges::find_if(spec->loads, &LoadSpec::trace);
  std::optional<Recording> recording;
  if (!options.trace.empty() && traced != spec->loads.end()) recording.emplace(*traced);
  const auto on_frames = [&](const json& frames) {
    if (recording) recording->add(frames);
  };
  const auto on_calls = [&](const std::vector<CallRecord>& calls, std::uint64_t missing) {
    if (recording) recording->add(calls, missing);
  };
  const auto command = own_command_line();
  const auto result = measure(*spec, *peers, records, command, stop, {on_interval, on_frames, on_calls});
  if (!result) return result.error();
  if (options.json_lines)
    print_out("{}\n", json{{"event", "result"}, {"data", *result}}.dump());
  else
    print_result(*result);
  if (files)
    if (const auto written = files->finish(*result); !written) return written.error();
  if (unwritten) return *unwritten;
  if (recording)
    if (const auto written = recording->write(*result, options); !written) return written.error();
  if (!result->at("complete").get<bool>()) return Error{"ended early: " + result->at("error").get<std::string>(), ""};
  return 0;
}

template <class T>
CLI::Option* member(CLI::App& app, RunOptions& options, const char* names, const char* key, const std::string& help) {
  return app.add_option_function<T>(
      names, [&options, key](const T& value) { options.load[key] = value; }, help);
}

void add_path_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "Path");
  app.add_option(
         "-c,--to", options.to,
         "A `wall-probe serve`, numeric; several: each has the load, at the same time (default: both sides in this "
         "program, on loopback)")
      ->delimiter(',')
      ->option_text("ADDRESS[:PORT][,...]");
  app.add_flag("-R,--reverse", options.reverse, "Send from the server to this host");
  app.add_flag("--bidir", options.both, "Send in both directions")->excludes("--reverse");
  app.add_option_function<std::vector<std::string>>(
         "-B,--from", [&options](const std::vector<std::string>& value) { options.load["from"] = value; },
         "Numeric addresses of this host from which flows are sent, in order")
      ->delimiter(',')
      ->option_text("ADDRESS[,...]");
  member<std::string>(app, options, "--data-to", "to",
                      "Numeric destination address of the flows, if different from --to")
      ->option_text("ADDRESS");
  member<std::string>(app, options, "--via", "via", "UDP: a relay (wall-probe impair)")->option_text("ADDRESS:PORT");
  member<unsigned>(app, options, "--base-port", "base_port", "Flow i arrives at this + 2 i (default: 50000)")
      ->option_text("PORT");
  member<unsigned>(app, options, "--source-port", "source_port", "UDP: flow i leaves from this + 2 i (default: 40000)")
      ->option_text("PORT");
}

void add_time_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "Time");
  app.add_option("-t,--seconds", options.duration_s, "Duration of the measurement")
      ->check(number_between(0.1, 1e6))
      ->option_text("SECONDS")
      ->capture_default_str();
  app.add_option("-O,--warm-up", options.warm_up_s, "Warm-up before it, not counted")
      ->check(number_between(0, 3600))
      ->option_text("SECONDS")
      ->capture_default_str();
  app.add_option("-i,--interval", options.interval_s, "Length of an interval of the report")
      ->check(number_between(0.01, 3600))
      ->option_text("SECONDS")
      ->capture_default_str();
}

void add_load_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "Load");
  app.add_flag("-u,--udp", options.udp, "The wall's own flows: RTP, paced, into frame buffers (the default)");
  app.add_flag("--tcp", options.tcp, "The kernel's TCP instead")->excludes("--udp");
  app.add_flag("--udt", options.udt, "UDT, a reliable protocol over UDP, instead")
      ->excludes("--udp")
      ->excludes("--tcp");
  app.add_option("--file", options.file, "A run of several loads, as JSON: instead of the options for one")
      ->option_text("FILE");
  member<unsigned>(app, options, "-P,--flows", "flows", "Flows of each direction (default: 1)");
  app.add_option("-b,--rate", options.rate,
                 "Bit/s of all flows of a direction: 500M, 10G (default: 1G; TCP: no limit). UDP: of pixels; see "
                 "--rate-of")
      ->option_text("RATE");
  app.add_option("-l,--length", options.length, "Of a datagram (default: 8900), or of a TCP message (1M)")
      ->option_text("BYTES");
  member<unsigned>(app, options, "--dscp", "dscp", "Class of service of the packets, 0 to 63");
  app.add_option("-S,--tos", options.tos, "The same as the complete octet")->check(whole_between(0, 255));
}

void add_udp_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "UDP");
  member<std::string>(app, options, "--rate-of", "rate_of",
                      "What --rate is of: media (pixels; the default), udp (UDP payload, as in iperf3), ip (with "
                      "UDP and IP headers), ethernet (with header, checksum, preamble and gap)")
      ->option_text("LAYER");
  member<std::size_t>(app, options, "--frame-bytes", "frame_bytes", "Size of each flow's frames")->option_text("BYTES");
  member<double>(app, options, "--fps", "frame_rate", "Frames per second (default: 60)");
  member<double>(app, options, "--pace", "pace",
                 "Share of the frame interval that packets are spread over; 0: each frame is a burst (default: 0.9)");
  member<unsigned>(app, options, "--burst-packets", "burst_packets", "Packets sent at once (default: 7)");
  member<std::string>(app, options, "--source", "source", "The folder of a visualization to send")->option_text("DIR");
  member<std::string>(app, options, "--sink", "sink", "A directory for the received data; none: discard it")
      ->option_text("DIR");
  app.add_flag_function(
      "--records", [&options](std::int64_t) { options.load["records"] = "packets"; },
      "Store the arrival time of each packet, beside the results");
  app.add_flag_function(
      "--hardware-stamps", [&options](std::int64_t) { options.load["hardware_stamps"] = true; },
      "Arrival times by the receiver's network card instead of its kernel; needs a card with a PTP clock and root");
}

void add_tcp_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "TCP and UDT");
  app.add_option(
         "-w,--window", options.window,
         "TCP: socket buffers of both ends (default: the kernel adapts them); UDT: sum of the flow-control windows of "
         "all flows")
      ->option_text("BYTES");
  member<std::string>(app, options, "-C,--congestion", "congestion", "TCP: congestion control")->option_text("NAME");
  app.add_option("--requests", options.requests,
                 "TCP: messages that the receiver answers; this many outstanding at a time");
  app.add_flag("--bursts", options.bursts, "TCP: all flows send a message at the same time, then wait for each other");
  member<unsigned>(app, options, "--burst-count", "bursts",
                   "TCP: measure this many bursts and end; --seconds is how long they may take");
  member<std::size_t>(app, options, "--answer-bytes", "answer_bytes",
                      "TCP: length of the answer to a request or a burst (default: 8)")
      ->option_text("BYTES");
  member<double>(app, options, "--compute-ms", "compute_ms",
                 "--bursts: CPU time that each flow computes for after each burst")
      ->option_text("MS");
}

void add_core_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "Cores");
  member<std::string>(app, options, "--pinning", "pinning",
                      "Cores of the flows' threads by a rule, on each host: none (default), one-per-flow (refused with "
                      "fewer cores), in-turn (shares cores if there are fewer)")
      ->option_text("RULE");
  member<unsigned>(app, options, "--receiver-interrupt-cpu", "receiver_interrupt_cpu",
                   "The CPU that serves what arrives on the receiver's interface during the measurement; needs root");
  const auto cpus = [&](const char* names, const char* key, const char* help) {
    app.add_option_function<std::vector<unsigned>>(
           names, [&options, key](const std::vector<unsigned>& value) { options.load[key] = value; }, help)
        ->delimiter(',')
        ->option_text("N[,N...]");
  };
  cpus("--sender-cpus", "sender_cpus", "Cores of the sending threads by number, in order");
  cpus("--receiver-cpus", "receiver_cpus", "Cores of the receiving threads by number, in order");
}

void add_read_options(CLI::App& app, RunOptions& options) {
  begin_group(app, "Disks instead of a network");
  app.add_option("--read", options.read, "Read frames from these directories, striped")
      ->delimiter(',')
      ->option_text("DIR[,DIR...]");
  member<unsigned>(app, options, "--stripes", "stripes", "Use only this many of the directories");
  member<unsigned>(app, options, "--stripe-mib", "stripe_mib", "Frames in each directory (default: 256)")
      ->option_text("MIB");
  member<unsigned>(app, options, "--block-kib", "block_kib", "Size of a read (default: 1024)")->option_text("KIB");
  member<unsigned>(app, options, "--depth", "depth", "Concurrent reads on each stripe (default: 16)");
}

void add_options(CLI::App& app, RunOptions& options) {
  add_path_options(app, options);
  add_time_options(app, options);
  add_load_options(app, options);
  add_udp_options(app, options);
  add_tcp_options(app, options);
  add_core_options(app, options);
  add_read_options(app, options);
  add_credential_options(app, options.credentials);
  begin_group(app, general_options);
  app.add_option("--results", options.results, "A directory for the result: runs/run.json, for report and compare")
      ->option_text("DIR");
  app.add_option(
         "--trace", options.trace,
         "Write the life of every frame (UDP), or every call of the senders (--bursts), into this file for Perfetto")
      ->option_text("FILE");
  app.add_flag("-J,--json", options.json_lines, "Print a line of JSON for each interval, and one for the result");
  app.add_flag("--dry-run", options.dry_run, "Print the run without measuring");
  set_examples(app, {{"ten seconds on this host, 10 Gbit/s in four flows", "wall-probe run --rate 10G --flows 4"},
                     {"to a host that runs wall-probe serve", "wall-probe run --to 192.0.2.7 --rate 10G"},
                     {"how fast two disks are read", "wall-probe run --read /ssd1,/ssd2"}});
}

}  // namespace

Command run_command(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  auto* app = program.add_subcommand("run", "Measure a path: rate, loss, jitter and the activity of the hosts");
  add_options(*app, *options);
  return {app, [options](const std::atomic<bool>& stop) { return run(*options, stop); }};
}

}  // namespace lw
