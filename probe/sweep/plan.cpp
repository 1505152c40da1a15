#include "probe/sweep/plan.h"

#include "common/concurrency/pinned_thread.h"
#include "common/host/topology.h"
#include "common/messages/rpc.h"
#include "probe/impair/impair_script.h"
#include "probe/loads/layer_rates.h"
#include "probe/results/experiment_record.h"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <numeric>
#include <random>

namespace lw {
namespace {

using nlohmann::json;

constexpr std::size_t runs_max = 100'000;
constexpr unsigned relay_port_offset = 5000;  // from the ports to which the relay forwards, to its own

// The experiment as changed by a point, before it is checked.
struct Draft {
  json run;
  std::vector<json> loads;
  json path;
};

void set(Draft& draft, const std::string& key, const json& value) {
  if (key.starts_with("path.")) {
    draft.path[key.substr(5)] = value;
    return;
  }
  if (draft.run.contains(key)) {
    draft.run[key] = value;
    return;
  }
  setting_of(draft.loads, key) = value;
}

Result<RelaySettings> relay_of(const json& path, const LoadSpec& load) {
  Params params(path);
  RelaySettings relay;
  Impairment impairment;
  const auto time = [&](const char* name, Nanoseconds& value) {
    if (const auto ms = params.optional_number(name, 0, 10'000))
      value = Nanoseconds{static_cast<std::int64_t>(*ms * 1e6)};
  };
  const auto share = [&](const char* name, double& value) {
    if (const auto percent = params.optional_number(name, 0, 100)) value = *percent / 100;
  };
  time("delay_ms", impairment.delay);
  time("jitter_ms", impairment.jitter);
  time("queue_ms", impairment.queue);
  share("loss_percent", impairment.loss);
  share("duplicate_percent", impairment.duplicate);
  share("reorder_percent", impairment.reorder);
  impairment.loss_burst = params.optional_number("loss_burst", 1, 1e6).value_or(1);
  if (const auto gbit = params.optional_number("rate_gbit", 0, 1000); gbit && *gbit > 0)
    impairment.rate = BitRate::gbit(*gbit);
  relay.share_rate = params.boolean_or("share_rate", false);
  if (const auto name = params.optional_text("distribution")) {
    const auto jitter = parse_jitter(*name);
    if (!jitter) return Error{"path.distribution " + *name + " is unknown", "see wall-probe impair --help"};
    impairment.distribution = *jitter;
  }
  relay.seed = static_cast<std::uint64_t>(params.optional_integer("seed", 0, INT64_MAX).value_or(1));
  if (const auto problem = params.problem()) return Error{"[path]: " + *problem, "see docs/probe.md"};
  relay.forward = impairment;
  relay.backward.delay = impairment.delay;  // RTCP's way back has the same delay
  relay.ports = 2 * load.flows;             // RTP and RTCP
  const auto ports_above = relay_port_offset + 2 * relay.ports;
  if (load.base_port + ports_above > 65'536)
    return Error{fmt::format("a [path] needs the ports {} above the load's, which end beyond 65535", relay_port_offset),
                 fmt::format("use a base_port of at most {}", 65'536 - ports_above)};
  relay.listen_port = static_cast<std::uint16_t>(load.base_port + relay_port_offset);
  relay.target_port = load.base_port;
  // Those that the kernel chooses can be the load's own, which binds them later.
  relay.from_port = static_cast<std::uint16_t>(relay.listen_port + relay.ports);
  return relay;
}

bool take_off(json& section) {
  const auto off = section.find("off");
  const bool is_off = off != section.end() && off->is_boolean() && off->get<bool>();
  if (!section.is_null()) section.erase("off");
  return is_off;
}

// Flows of the path share its capacity; for others the file must give it.
Result<double> capacity_of(const Draft& draft, double said) {
  if (said > 0) return said;
  const auto rate = draft.path.is_object() ? draft.path.find("rate_gbit") : draft.path.end();
  if (draft.path.is_object() && rate != draft.path.end() && rate->is_number() && *rate > 0 &&
      draft.path.value("share_rate", json()) == true)
    return rate->get<double>();
  return Error{"offered_percent is a share of the path's capacity, which is not known",
               "set it: --set capacity_gbit_per_s=9.93 (UDP payload of a link of 10 Gbit/s, at 8900 bytes a datagram)"};
}

// Converts "offered_percent" to the rate of the load: UDP payload, which is more than the pixels. Frames have complete
// rows, so the frame rate is finally adapted.
Result<void> set_offered_rate(json& load, const Draft& draft, double said) {
  const auto offered = load.find("offered_percent");
  if (offered == load.end()) return {};
  if (!offered->is_number() || *offered <= 0 || *offered > 1000)
    return Error{"offered_percent must be a number up to 1000", "see docs/probe.md"};
  const auto capacity = capacity_of(draft, said);
  if (!capacity) return capacity.error();
  const double gbit = *capacity * offered->get<double>() / 100;
  load.erase(offered);
  load.erase("frame_bytes");
  load["gbit_per_s"] = gbit;
  const auto run = parse_run({{"loads", json::array({load})}});
  if (!run) return run.error();
  const auto& spec = run->loads.front();
  if (spec.protocol != Protocol::udp) return {};
  if (spec.source != "memory")
    return Error{"offered_percent changes the frame rate, which a visualization has", "leave source out"};
  const auto frame = frame_bytes_of(spec, {});
  if (!frame) return frame.error();
  load.erase("gbit_per_s");
  load.update({{"width", spec.width}, {"rows", spec.rows}, {"frame_bytes", 3 * spec.width * spec.rows}});
  load["frame_rate"] = gbit * 1e9 / 8 / (frame->udp * spec.flows);
  return {};
}

Result<PlannedRun> planned(Draft draft, double capacity) {
  PlannedRun planned;
  if (take_off(draft.path)) draft.path = nullptr;
  auto run = draft.run;
  run["loads"] = json::array();
  for (auto load : draft.loads) {
    if (take_off(load)) continue;
    if (const auto set = set_offered_rate(load, draft, capacity); !set) return set.error();
    run["loads"].push_back(std::move(load));
  }
  auto spec = parse_run(run);
  if (!spec) return spec.error();
  planned.run = std::move(*spec);
  if (draft.path.is_null()) return planned;
  auto& load = planned.run.loads.front();
  if (load.protocol != Protocol::udp || load.direction != Direction::forward)
    return Error{"a [path] is for a UDP load that goes forward", "leave it out, and measure over a real distance"};
  auto relay = relay_of(draft.path, load);
  if (!relay) return relay.error();
  load.via = fmt::format("127.0.0.1:{}", relay->listen_port);
  planned.path = std::move(*relay);
  planned.path_settings = draft.path;
  return planned;
}

bool wants_more_disks(const json& load) {
  const auto stripes = load.find("stripes");
  const auto directories = load.find("directories");
  return stripes != load.end() && directories != load.end() && stripes->is_number() &&
         stripes->get<double>() > static_cast<double>(directories->size());
}

// All combinations of the axes' values, the last axis fastest.
std::vector<std::vector<std::size_t>> all_points(const std::vector<Axis>& axes) {
  std::vector<std::vector<std::size_t>> points{{}};
  for (const auto& axis : axes) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& point : points)
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    points = std::move(longer);
    if (points.size() > runs_max) break;
  }
  return points;
}

std::vector<std::size_t> shuffled(std::size_t count, std::mt19937& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, random);
  return order;
}

}  // namespace

Result<std::vector<PlannedRun>> plan_runs(const Experiment& experiment, unsigned seed) {
  auto points = all_points(experiment.axes);
  if (points.size() * experiment.repetitions * std::max<std::size_t>(experiment.variants.size(), 1) > runs_max)
    return Error{fmt::format("the sweep has more than {} runs", runs_max), "take values or repetitions away"};
  std::vector<PlannedRun> at_points;
  for (const auto& point : points) {
    Draft draft{experiment.run, experiment.loads, experiment.path};
    json names = json::object();
    for (std::size_t i = 0; i < point.size(); ++i) {
      const auto& value = experiment.axes[i].values[point[i]];
      names[experiment.axes[i].key] = value.name;
      for (const auto& [key, setting] : value.settings) set(draft, key, setting);
    }
    if (wants_more_disks(draft.loads.front())) continue;  // than were named
    auto one = planned(std::move(draft), experiment.capacity_gbit_per_s);
    if (!one) return names.empty() ? one.error() : Error(one.error()).in("at " + file_part(names));
    one->point = std::move(names);
    at_points.push_back(std::move(*one));
  }
  std::vector<PlannedRun> runs;
  std::mt19937 random(seed);
  for (unsigned repetition = 1; repetition <= experiment.repetitions; ++repetition)
    for (const auto i : shuffled(at_points.size(), random))
      for (const auto variant : shuffled(std::max<std::size_t>(experiment.variants.size(), 1), random)) {
        auto& run = runs.emplace_back(at_points[i]);
        run.repetition = repetition;
        run.number = static_cast<unsigned>(runs.size());
        if (!experiment.variants.empty()) {
          run.variant = variant;
          run.point[std::string(variant_axis)] = experiment.variants[variant].name;
        }
        if (run.path) {
          run.path->seed += repetition - 1;
          run.path_settings["seed"] = run.path->seed;
        }
      }
  return runs;
}

json experiment_json(const Experiment& experiment, unsigned seed, const std::string& file, std::size_t runs) {
  auto axes = json::array();
  for (const auto& axis : experiment.axes) {
    auto values = json::array();
    for (const auto& value : axis.values) values.push_back(value.name);
    axes.push_back({{"key", axis.key}, {"label", axis.label}, {"values", std::move(values)}});
  }
  auto variants = json::array();
  for (const auto& variant : experiment.variants) variants.push_back(variant.name);
  if (!variants.empty())
    axes.push_back({{"key", variant_axis}, {"label", variant_axis}, {"values", std::move(variants)}});
  json described{{"schema", experiment_schema},
                 {"name", experiment.name},
                 {"title", experiment.title},
                 {"rows", experiment.rows},
                 {"saw", experiment.saw},
                 {"repetitions", experiment.repetitions},
                 {"seed", seed},
                 {"axes", std::move(axes)},
                 {"plots", experiment.plots},
                 {"runs_planned", runs},
                 {"file", file}};
  if (experiment.capacity_gbit_per_s > 0) described["capacity_gbit_per_s"] = experiment.capacity_gbit_per_s;
  for (const auto& variant : experiment.variants)
    described["variants"][variant.name] = variant.program.empty() ? json(variant.to) : json(variant.program.string());
  return described;
}

std::vector<std::string> missing(const Experiment& experiment, bool peer) {
  std::vector<std::string> out;
  const auto& needs = experiment.needs;
  if (const auto cpus = allowed_cpus().size(); cpus < needs.cpus)
    out.push_back(fmt::format("{} CPUs; this host has {}", needs.cpus, cpus));
  if (needs.numa_nodes > 0) {
    const auto topology = read_topology();
    const std::size_t nodes = topology ? topology->numa_nodes.size() : 0;
    if (nodes < needs.numa_nodes)
      out.push_back(fmt::format("{} NUMA nodes; this host has {}", needs.numa_nodes, nodes));
  }
  const auto given = experiment.loads.front().value("directories", json::array());
  if (given.size() < needs.directories)
    out.push_back(
        fmt::format("{} directories, each on its own disk: --set 'directories=[\"/disk0\", ...]'", needs.directories));
  if (needs.peer && !peer) out.emplace_back("another host: --to ADDRESS of a wall-probe serve");
  if (needs.root && !peer && geteuid() != 0) out.emplace_back("root: sudo, or a wall-probe serve elsewhere (--to)");
  if (!needs.text.empty() && !peer) out.push_back(needs.text);
  return out;
}

std::string file_part(const json& point) {
  std::string out;
  for (const auto& [key, value] : point.items()) {
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, text);
  }
  for (char& c : out)
    if (std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,=-_").find(c) ==
        std::string_view::npos)
      c = '-';
  return out.substr(0, 120);
}

}  // namespace lw
