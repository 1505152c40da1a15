#include "probe/loads/load.h"

#include "common/base/frame_rate.h"
#include "common/messages/rpc.h"
#include "common/pixel/pixel_format.h"
#include "common/store/store_files.h"
#include "probe/loads/layer_rates.h"
#include "probe/loads/udt_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace lw {
namespace {

constexpr std::array<std::string_view, 4> protocols{"udp", "tcp", "disk", "udt"};
constexpr std::array<std::string_view, 3> patterns{"stream", "requests", "bursts"};
constexpr std::array<std::string_view, 3> directions{"forward", "reverse", "both"};
constexpr std::array<std::string_view, 3> pinnings{"none", "one-per-flow", "in-turn"};
constexpr std::array<std::string_view, 4> rate_layers{"media", "udp", "ip", "ethernet"};
constexpr std::array<std::string_view, 2> records_names{"none", "packets"};
constexpr std::size_t loads_max = 16;
constexpr unsigned flows_max = 256, hosts_max = 64;
constexpr unsigned port_default = 50'000, source_port_default = 40'000;
constexpr unsigned ports_per_load = 1024;  // for both directions, two for each flow
constexpr double frame_rate_default = 60, frame_rate_min = 0.01;
constexpr unsigned cpu_max = 4095;
constexpr double gbit_per_s_min = 1e-6;
constexpr unsigned rows_max = 32'767;  // RFC 4175: 15 bits
constexpr std::size_t frame_bytes_max = std::size_t{row_pixels_max} * 3 * rows_max;
constexpr std::size_t buffer_bytes_max = std::size_t{1} << 30U;
constexpr std::int64_t window_bytes_max = std::int64_t{4} << 30U;
constexpr std::int64_t answer_bytes_max = std::int64_t{1} << 20U;
constexpr std::int64_t bursts_max = 1'000'000;

// Reads the members of a load with Params, which keeps the first problem.
class LoadReader {
public:
  explicit LoadReader(const Json& json) : params_(json) {}

  template <class Enum, std::size_t N>
  void choice(const char* name, const std::array<std::string_view, N>& names, Enum& value) {
    const auto text = params_.optional_text(name);
    if (!text) return;
    const auto found = std::ranges::find(names, *text);
    if (found == names.end()) return fail(fmt::format("{} must be one of {}", name, fmt::join(names, ", ")));
    value = static_cast<Enum>(found - names.begin());
  }
  template <class Integer>
  void whole(const char* name, std::int64_t min, std::int64_t max, Integer& value) {
    if (const auto number = params_.optional_integer(name, min, max)) value = static_cast<Integer>(*number);
  }
  void real(const char* name, double min, double max, double& value) {
    value = params_.optional_number(name, min, max).value_or(value);
  }
  // 0 means not given; a rate near zero would cause endless frames or waits.
  void rate(const char* name, double min, double max, double& value) {
    real(name, 0, max, value);
    if (value > 0 && value < min) fail(fmt::format("{} must be 0, or a number from {} to {}", name, min, max));
  }
  void text(const char* name, std::string& value) { value = params_.optional_text(name).value_or(value); }
  void texts(const char* name, std::vector<std::string>& value) {
    if (auto given = params_.optional_texts(name)) value = std::move(*given);
  }
  // One CPU, or several.
  void cpus(const Json& json, const char* name, std::vector<unsigned>& value) {
    const auto found = json.find(name);
    params_.known(name);
    if (found == json.end()) return;
    const auto is_cpu = [](const Json& cpu) { return cpu.is_number_integer() && cpu >= 0 && cpu <= cpu_max; };
    value.clear();
    if (is_cpu(*found)) return value.push_back(found->get<unsigned>());
    if (!found->is_array() || !std::ranges::all_of(*found, is_cpu))
      return fail(fmt::format("{} must be a CPU, or several: [0, 1]", name));
    value = found->get<std::vector<unsigned>>();
  }
  void flag(const char* name, bool& value) { value = params_.boolean_or(name, value); }
  void fail(std::string what) {
    if (!problem_) problem_ = std::move(what);
  }
  [[nodiscard]] std::optional<std::string> problem() { return problem_ ? problem_ : params_.problem(); }

private:
  Params params_;
  std::optional<std::string> problem_;
};

void read_members(const Json& json, LoadReader& reader, LoadSpec& load) {
  reader.text("name", load.name);
  reader.choice("protocol", protocols, load.protocol);
  reader.choice("pattern", patterns, load.pattern);
  reader.choice("direction", directions, load.direction);
  reader.whole("flows", 1, flows_max, load.flows);
  reader.whole("host", 0, hosts_max, load.host);
  reader.whole("first_flow", 0, hosts_max * flows_max, load.first_flow);
  reader.rate("gbit_per_s", gbit_per_s_min, 10'000, load.gbit_per_s);
  double of_flow = 0;
  reader.rate("flow_gbit_per_s", gbit_per_s_min, 10'000, of_flow);
  if (of_flow > 0 && load.gbit_per_s > 0) reader.fail("gbit_per_s and flow_gbit_per_s are one too many");
  if (of_flow > 0) load.gbit_per_s = of_flow * load.flows;
  reader.choice("rate_of", rate_layers, load.rate_of);
  reader.whole("frame_bytes", 0, static_cast<std::int64_t>(frame_bytes_max), load.frame_bytes);
  reader.rate("frame_rate", frame_rate_min, 1000, load.frame_rate);
  reader.whole("datagram_bytes", 200, 9188, load.datagram_bytes);
  reader.whole("burst_packets", 1, 64, load.burst_packets);
  reader.real("pace", 0, 1, load.pace);
  reader.real("begin_s", 0, 1e6, load.begin_s);
  reader.real("for_s", 0, 1e6, load.for_s);
  reader.whole("message_bytes", 1, std::int64_t{4} << 30U, load.message_bytes);
  reader.whole("answer_bytes", 1, answer_bytes_max, load.answer_bytes);
  reader.whole("concurrency", 1, 4096, load.concurrency);
  reader.whole("bursts", 0, bursts_max, load.bursts);
  reader.real("compute_ms", 0, 60'000, load.compute_ms);
  reader.whole("buffer_bytes", 0, static_cast<std::int64_t>(buffer_bytes_max), load.buffer_bytes);
  reader.text("congestion", load.congestion);
  reader.whole("window_bytes", 0, window_bytes_max, load.window_bytes);
  reader.whole("dscp", 0, 63, load.dscp);
  reader.choice("pinning", pinnings, load.pinning);
  reader.whole("receiver_interrupt_cpu", -1, cpu_max, load.receiver_interrupt_cpu);
  reader.cpus(json, "sender_cpus", load.sender_cpus);
  reader.cpus(json, "receiver_cpus", load.receiver_cpus);
  reader.text("source", load.source);
  reader.text("sink", load.sink);
  reader.choice("records", records_names, load.records);
  reader.flag("hardware_stamps", load.hardware_stamps);
  reader.flag("trace", load.trace);
  reader.texts("from", load.from);
  reader.text("to", load.to);
  reader.text("via", load.via);
  reader.whole("base_port", 0, 65'534, load.base_port);
  reader.whole("source_port", 0, 65'534, load.source_port);
  reader.texts("directories", load.directories);
  reader.whole("stripes", 0, 256, load.stripes);
  reader.whole("stripe_mib", 1, 1'048'576, load.stripe_mib);
  reader.whole("block_kib", 4, 16'384, load.block_kib);
  reader.whole("depth", 1, 256, load.depth);
  reader.whole("width", 0, 65'534, load.width);
  reader.whole("rows", 0, rows_max, load.rows);
}

// Computes what is not given of a frame's shape from what is.
Result<void> choose_frames(LoadSpec& load, RunFrom from) {
  if (load.width > 0 && load.rows > 0) {  // already chosen by the peer
    if (load.frame_rate <= 0 || std::size_t{3} * load.width * load.rows > 2 * frame_bytes_max)
      return Error{"a frame's shape without its rate, or far too large", ""};
    return {};
  }
  if (load.source != "memory") {
    if (from == RunFrom::peer) return Error{"width and rows of the frames are missing", "give them with the source"};
    const auto manifest = load_store(load.source);
    if (!manifest) return manifest.error();
    const auto first = manifest->geometry.place({});
    load.width = first.width;
    load.rows = first.height;
    load.frame_bytes = frame_bytes(manifest->pixel_format, load.width, load.rows) / load.flows;
    if (load.gbit_per_s > 0)
      load.frame_rate = load.gbit_per_s * 1e9 / 8 / static_cast<double>(load.frame_bytes * load.flows);
    else if (load.frame_rate <= 0)
      load.frame_rate = manifest->frame_rate.hertz();
    return {};
  }
  if (load.frame_rate <= 0) load.frame_rate = frame_rate_default;
  const bool sized = load.frame_bytes > 0;
  if (!sized) load.frame_bytes = static_cast<std::size_t>(load.gbit_per_s * 1e9 / 8 / load.frame_rate / load.flows);
  if (load.frame_bytes < 6 || load.frame_bytes > frame_bytes_max)
    return Error{fmt::format("a flow would send frames of {} bytes", load.frame_bytes),
                 "give gbit_per_s, or frame_bytes and frame_rate, for frames of 6 bytes to 188 MB"};
  if (load.rate_of != RateLayer::media) {
    if (from == RunFrom::peer) return Error{"width and rows of the frames are missing", "give them with rate_of"};
    return shape_for_rate(load);
  }
  shape_frames(load, load.gbit_per_s > 0 && !sized ? load.gbit_per_s * 1e9 / 8 / load.frame_rate / load.flows
                                                   : static_cast<double>(load.frame_bytes));
  return {};
}

Result<void> check_udp(LoadSpec& load, RunFrom from) {
  if (load.pattern != LoadPattern::stream) return Error{"pattern is for TCP", "remove it, or use protocol = \"tcp\""};
  if (load.bursts > 0) return Error{"bursts are for TCP", "remove them, or use protocol = \"tcp\""};
  if (load.buffer_bytes > 0 || !load.congestion.empty())
    return Error{"buffer_bytes and congestion are for TCP", "remove them, or use protocol = \"tcp\""};
  if (load.source != "memory" && (load.direction != Direction::forward || load.flows > 16))
    return Error{"a visualization is sent forward only, by at most 16 flows", "send from memory"};
  if (!load.via.empty() && load.direction != Direction::forward)
    return Error{"a relay (via) passes forward only", "measure each direction separately"};
  if (load.sink == "none" && (load.records != Records::none || load.trace))
    return Error{"records and traces need packets that are placed", "remove sink = \"none\""};
  if (load.begin_s > 0 && load.for_s <= 0)
    return Error{"for_s is missing: a load with begin_s covers a part of the measurement", "give its duration"};
  if (load.rate_of != RateLayer::media && load.width == 0 &&
      (load.gbit_per_s <= 0 || load.frame_bytes > 0 || load.source != "memory"))
    return Error{"rate_of needs frames whose size is chosen automatically",
                 "give gbit_per_s, without frame_bytes and source"};
  if (load.gbit_per_s > 0 && load.frame_bytes > 0 && load.frame_rate > 0 && load.width == 0)
    return Error{"gbit_per_s, frame_bytes and frame_rate are one too many", "leave one of them out"};
  if (load.frame_bytes > 0 && load.frame_rate <= 0 && load.gbit_per_s > 0)
    load.frame_rate = load.gbit_per_s * 1e9 / 8 / static_cast<double>(load.frame_bytes * load.flows);
  return choose_frames(load, from);
}

Result<void> check_tcp(const LoadSpec& load) {
  if (load.frame_bytes > 0 || load.frame_rate > 0 || load.records != Records::none || !load.via.empty() ||
      load.begin_s > 0 || load.for_s > 0)
    return Error{"frame_bytes, frame_rate, records, via, begin_s and for_s are for UDP", "leave them out"};
  if (load.trace && load.pattern != LoadPattern::bursts)
    return Error{"a trace records UDP frames or TCP bursts", "remove it, or use pattern = \"bursts\""};
  if (load.rate_of != RateLayer::media)
    return Error{"rate_of is for UDP: a TCP rate always counts payload", "remove it"};
  if (load.source != "memory" || load.sink != "memory")
    return Error{"TCP loads go from memory to memory", "leave source and sink out"};
  if (load.bursts > 0 && load.pattern != LoadPattern::bursts)
    return Error{"bursts counts messages of the pattern bursts", "remove it, or use pattern = \"bursts\""};
  return {};
}

// The library has its own threads and rate control.
Result<void> check_udt(const LoadSpec& load) {
  const LoadSpec usual;
  if (load.pattern != LoadPattern::stream || load.frame_bytes > 0 || load.frame_rate > 0 || load.gbit_per_s > 0 ||
      load.rate_of != RateLayer::media || load.begin_s > 0 || load.for_s > 0 || load.trace || !load.via.empty() ||
      load.records != Records::none || load.source != usual.source || load.sink != usual.sink || load.bursts > 0 ||
      load.buffer_bytes > 0 || !load.congestion.empty() || load.dscp > 0 || load.pinning != Pinning::none ||
      !load.sender_cpus.empty() || !load.receiver_cpus.empty())
    return Error{"a UDT load is a stream without a rate limit, from memory to memory, on any core",
                 "describe it by flows, datagram_bytes and window_bytes"};
  const auto least = udt_window_bytes_min(load.datagram_bytes) * load.flows;
  const auto most = udt_window_bytes_max(load.datagram_bytes) * load.flows;
  if (load.window_bytes > 0 && (load.window_bytes < least || load.window_bytes > most))
    return Error{fmt::format("window_bytes {} is outside UDT's range of {} to {} for {} flows", load.window_bytes,
                             least, most, load.flows),
                 "choose another window, size of datagrams, or number of flows"};
  return {};
}

Result<void> check_compute(const LoadSpec& load) {
  if (load.compute_ms > 0 && load.pattern != LoadPattern::bursts)
    return Error{"compute_ms is the time between bursts", "use pattern = \"bursts\", or remove it"};
  return {};
}

Result<void> check_disk(const LoadSpec& load) {
  if (load.directories.empty()) return Error{"directories is missing", "name those to read from"};
  if (load.stripes > load.directories.size())
    return Error{fmt::format("{} stripes on {} directories", load.stripes, load.directories.size()),
                 "name a directory for each stripe"};
  if (load.direction != Direction::forward || load.flows != 1)
    return Error{"a disk load has no flows and no direction", "leave them out"};
  if (load.trace) return Error{"a trace records UDP frames or TCP bursts", "remove it"};
  return {};
}

Result<LoadSpec> parse_load(const Json& json, std::size_t index, RunFrom from) {
  LoadSpec load;
  LoadReader reader(json);
  read_members(json, reader, load);
  if (const auto problem = reader.problem()) return Error{*problem, "see docs/probe.md"};
  // The name becomes part of file names and labels.
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  if (load.name.empty() || load.name.size() > 40 || load.name.find_first_not_of(letters) != std::string::npos)
    return Error{"a load's name has 1 to 40 of a-z, 0-9, - and _", "rename '" + load.name + "'"};
  // Figures of further loads begin with it, and "ip_gbit_per_s" belongs to the first load.
  if (index > 0 && std::ranges::find(rate_layers, load.name) != rate_layers.end())
    return Error{"figures of load " + load.name + " would be taken for those of a layer", "rename it"};
  auto base = [&](std::uint16_t& port, unsigned otherwise) {
    if (port == 0) port = static_cast<std::uint16_t>(otherwise + ports_per_load * (index % 12));
  };
  base(load.base_port, port_default);
  base(load.source_port, source_port_default);
  for (const unsigned port : {load.base_port, load.source_port})
    if (port % 2 != 0 || port + 4 * load.flows > 65'535)
      return Error{fmt::format("ports from {} on do not do for {} flows", port, load.flows),
                   "choose an even one with room for four a flow"};
  if (load.pinning != Pinning::none &&
      (load.protocol == Protocol::disk || !load.sender_cpus.empty() || !load.receiver_cpus.empty()))
    return Error{
        "pinning chooses the cores of flows: a disk load has none, and sender_cpus and receiver_cpus name them",
        "leave one of them out"};
  if (load.receiver_interrupt_cpu >= 0 && (load.protocol == Protocol::disk || load.direction == Direction::both))
    return Error{"receiver_interrupt_cpu applies to one receiving host", "measure each direction separately"};
  if (load.hardware_stamps && load.protocol != Protocol::udp) return Error{"hardware_stamps is for UDP", "remove it"};
  const auto checked = load.protocol == Protocol::udp   ? check_udp(load, from)
                       : load.protocol == Protocol::tcp ? check_tcp(load)
                       : load.protocol == Protocol::udt ? check_udt(load)
                                                        : check_disk(load);
  if (!checked) return checked.error();
  if (load.trace && load.direction == Direction::both)
    return Error{"a trace covers one direction", "measure each direction separately"};
  if (const auto computes = check_compute(load); !computes) return computes.error();
  if (load.window_bytes > 0 && load.protocol != Protocol::udt)
    return Error{"window_bytes is for UDT", "remove it, or use protocol = \"udt\""};
  return load;
}

std::string_view name_of(const auto& names, auto value) { return names[static_cast<std::size_t>(value)]; }

// Omits values that equal their defaults.
Json load_json(const LoadSpec& load) {
  const LoadSpec usual;
  Json json{{"name", load.name},
            {"protocol", name_of(protocols, load.protocol)},
            {"direction", name_of(directions, load.direction)},
            {"flows", load.flows}};
  const auto put = [&](const char* name, const auto& value, const auto& otherwise) {
    if (value != otherwise) json[name] = value;
  };
  put("host", load.host, usual.host);
  put("first_flow", load.first_flow, usual.first_flow);
  put("gbit_per_s", load.gbit_per_s, usual.gbit_per_s);
  if (load.rate_of != RateLayer::media) json["rate_of"] = name_of(rate_layers, load.rate_of);
  if (load.protocol == Protocol::udp) {
    json["frame_bytes"] = load.frame_bytes;
    json["frame_rate"] = load.frame_rate;
    json["datagram_bytes"] = load.datagram_bytes;
    json["burst_packets"] = load.burst_packets;
    json["pace"] = load.pace;
    json["source_port"] = load.source_port;
    json["width"] = load.width;
    json["rows"] = load.rows;
    if (load.records != Records::none) json["records"] = name_of(records_names, load.records);
    put("hardware_stamps", load.hardware_stamps, usual.hardware_stamps);
    put("begin_s", load.begin_s, usual.begin_s);
    put("for_s", load.for_s, usual.for_s);
  }
  if (load.protocol == Protocol::tcp) {
    json["pattern"] = name_of(patterns, load.pattern);
    json["message_bytes"] = load.message_bytes;
    put("answer_bytes", load.answer_bytes, usual.answer_bytes);
    put("concurrency", load.concurrency, usual.concurrency);
    put("bursts", load.bursts, usual.bursts);
    put("compute_ms", load.compute_ms, usual.compute_ms);
    put("buffer_bytes", load.buffer_bytes, usual.buffer_bytes);
    put("congestion", load.congestion, usual.congestion);
  }
  if (load.protocol == Protocol::udt) {
    json["datagram_bytes"] = load.datagram_bytes;
    put("window_bytes", load.window_bytes, usual.window_bytes);
  }
  if (load.protocol == Protocol::disk) {
    json["directories"] = load.directories;
    json["stripes"] = load.stripes;
    json["stripe_mib"] = load.stripe_mib;
    json["block_kib"] = load.block_kib;
    json["depth"] = load.depth;
  } else {
    json["base_port"] = load.base_port;
  }
  put("dscp", load.dscp, usual.dscp);
  put("trace", load.trace, usual.trace);
  if (load.pinning != Pinning::none) json["pinning"] = name_of(pinnings, load.pinning);
  put("receiver_interrupt_cpu", load.receiver_interrupt_cpu, usual.receiver_interrupt_cpu);
  put("sender_cpus", load.sender_cpus, usual.sender_cpus);
  put("receiver_cpus", load.receiver_cpus, usual.receiver_cpus);
  put("source", load.source, usual.source);
  put("sink", load.sink, usual.sink);
  put("from", load.from, usual.from);
  put("to", load.to, usual.to);
  put("via", load.via, usual.via);
  return json;
}

}  // namespace

Result<RunSpec> parse_run(const Json& json, RunFrom from) {
  if (!json.is_object()) return Error{"a run must be an object", "see docs/probe.md"};
  RunSpec run;
  Params params(json);
  run.duration_s = params.optional_number("duration_s", 0.1, 1e6).value_or(run.duration_s);
  run.warm_up_s = params.optional_number("warm_up_s", 0, 3600).value_or(run.warm_up_s);
  run.interval_s = params.optional_number("interval_s", 0.01, 3600).value_or(run.interval_s);
  const auto loads = params.optional_objects("loads");
  if (const auto problem = params.problem()) return Error{*problem, "see docs/probe.md"};
  if (!loads || loads->empty() || loads->size() > loads_max)
    return Error{"a run has 1 to 16 loads", "describe at least one"};
  std::set<std::string> names;
  for (std::size_t i = 0; i < loads->size(); ++i) {
    auto load = parse_load((*loads)[i], i, from);
    if (!load) return load.error();
    if (!names.insert(load->name).second) return Error{"two loads are called " + load->name, "give each its own name"};
    if (load->trace && std::ranges::any_of(run.loads, &LoadSpec::trace))
      return Error{"two loads are traced", "trace one of them"};
    run.loads.push_back(std::move(*load));
  }
  return run;
}

Json to_json(const RunSpec& run) {
  Json loads = Json::array();
  for (const auto& load : run.loads) loads.push_back(load_json(load));
  return {{"duration_s", run.duration_s},
          {"warm_up_s", run.warm_up_s},
          {"interval_s", run.interval_s},
          {"loads", std::move(loads)}};
}

Result<RunSpec> run_of_host(const RunSpec& run, unsigned host) {
  if (host >= hosts_max) return Error{fmt::format("more than {} hosts", hosts_max), "measure some of them at a time"};
  RunSpec own = run;
  std::erase_if(own.loads, [&](const LoadSpec& load) { return load.host != 0 && load.host != host + 1; });
  if (own.loads.empty())
    return Error{fmt::format("no load is of host {}", host + 1), "name fewer hosts, or give each a load"};
  for (auto& load : own.loads) {
    if (host == 0 || load.host != 0) continue;
    if (load.protocol == Protocol::disk || !load.via.empty() || !load.to.empty() || load.trace)
      return Error{"load " + load.name + " is of one host: it reads disks, or has to, via or trace",
                   "leave that out, or name one host"};
    const auto shift = 4 * load.flows * host;  // two ports per flow in both directions
    const auto end = shift + 4 * load.flows;
    if (std::max(load.base_port, load.source_port) + end > 65'535 || (own.loads.size() > 1 && end > ports_per_load))
      return Error{fmt::format("no ports are left for {} hosts", host + 1), "choose lower ports, or fewer flows"};
    load.base_port = static_cast<std::uint16_t>(load.base_port + shift);
    load.source_port = static_cast<std::uint16_t>(load.source_port + shift);
    load.first_flow = host * load.flows;
  }
  return own;
}

int cpu_of(const std::vector<unsigned>& cpus, unsigned flow) {
  return cpus.empty() ? -1 : static_cast<int>(cpus[flow % cpus.size()]);
}

bool is_sent_by_server(const LoadSpec& load) {
  return load.protocol != Protocol::disk && load.direction != Direction::forward;
}

std::vector<std::string> addresses_sent_to(const RunSpec& run) {
  std::vector<std::string> addresses;
  for (const auto& load : run.loads)
    if (is_sent_by_server(load) && !load.from.empty() &&
        std::ranges::find(addresses, load.from.front()) == addresses.end())
      addresses.push_back(load.from.front());
  return addresses;
}

double frame_gbit_per_s(const LoadSpec& load) {
  return static_cast<double>(load.frame_bytes) * load.frame_rate * load.flows * 8e-9;
}

}  // namespace lw
