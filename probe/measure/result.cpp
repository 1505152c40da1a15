#include "probe/measure/result.h"

#include "probe/call/json_value.h"
#include "probe/loads/frame_statistics.h"
#include "probe/measure/clock_bound.h"
#include "probe/measure/delay_figures.h"
#include "probe/measure/recovery.h"
#include "probe/results/figure_table.h"
#include "probe/results/probe_result.h"
#include "probe/results/statistics.h"
#include "probe/trace/burst_trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace lw {
namespace {

using nlohmann::json;

std::optional<double> number(const json& from, const char* group, const char* name) {
  const auto found = from.find(group);
  if (found == from.end()) return {};
  const auto value = found->find(name);
  return value != found->end() && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}
void put(json& figures, const std::string& name, std::optional<double> value) {
  if (value && std::isfinite(*value)) figures[name] = *value;
}

// A flow as reported by its sender and its receiver; either may be missing.
struct Flow {
  std::string load, direction;
  unsigned number = 0;
  json sender, receiver;
  json sender_host, receiver_host;
  json intervals = json::array();
  json sender_intervals = json::array();
};

// What stamped the arrivals of a UDP flow; null for other flows, and if nothing arrived.
json receive_stamps(const Flow& flow) {
  const auto packets = number(flow.receiver, "totals", "packets");
  if (!packets || *packets <= 0) return nullptr;
  const double by_card = number(flow.receiver, "totals", "card_stamped").value_or(0);
  return by_card <= 0 ? "kernel" : by_card < *packets ? "mixed" : "hardware";
}

json cpu_s_per_gb(const json& end) {
  const auto cpu = number(end, "totals", "cpu_s");
  const auto bytes = number(end, "totals", "bytes");
  if (!cpu || !bytes || *bytes <= 0) return nullptr;
  return *cpu / (*bytes * 1e-9);
}

// Of all packets sent during the measurement, by sequence numbers. Unknown if none of them arrived.
std::optional<double> loss_of(const Flow& flow) {
  auto lost = number(flow.receiver, "totals", "lost");
  if (lost) lost = std::max(*lost, 0.0);
  const auto arrived = number(flow.receiver, "totals", "arrived");
  if (!lost || !arrived) return {};
  const double expected = *lost + *arrived;
  if (expected > 0) return *lost / expected;
  const auto sent = number(flow.sender, "totals", "packets");
  return sent && *sent > 0 ? std::optional(1.0) : std::nullopt;
}

// Counts and gauges, as in the table of figures.
void put_counted(json& figures, const Flow& flow) {
  for (const auto& row : figure_rows()) {
    const bool receiver = row.origin == FigureOrigin::receiver_total || row.origin == FigureOrigin::receiver_gauge;
    const bool total = row.origin == FigureOrigin::receiver_total || row.origin == FigureOrigin::sender_total;
    const bool gauge = row.origin == FigureOrigin::receiver_gauge || row.origin == FigureOrigin::sender_gauge;
    if (!total && !gauge) continue;
    for_each_part(row, [&](std::string_view part) {
      const auto name = figure_name(row, part);
      put(figures, name, number(receiver ? flow.receiver : flow.sender, total ? "totals" : "gauges", name.c_str()));
    });
  }
}

// From the rates of its intervals.
std::optional<double> rate_stddev(const json& intervals) {
  double sum = 0, squares = 0;
  for (const auto& interval : intervals) {
    const double rate = interval.value("gbit_per_s", 0.0);
    sum += rate;
    squares += rate * rate;
  }
  const auto count = static_cast<double>(intervals.size());
  if (count < 2) return {};
  return std::sqrt(std::max(squares - sum * sum / count, 0.0) / (count - 1));
}

// From the first other load that is sent only in a part of the measurement.
std::optional<double> recovery_of(const Flow& flow, const RunSpec& run) {
  const auto own = std::ranges::find(run.loads, flow.load, &LoadSpec::name);
  if (own == run.loads.end() || own->for_s > 0) return {};
  const auto disturbs = std::ranges::find_if(run.loads, [](const LoadSpec& load) { return load.for_s > 0; });
  if (disturbs == run.loads.end()) return {};
  return recovery_s(flow.intervals, disturbs->begin_s, disturbs->begin_s + disturbs->for_s);
}

// Empty if unknown, also for a side that could no longer be reached.
std::optional<double> clocks_apart_us(const Flow& flow, bool same_program) {
  if (same_program) return 0;
  if (!flow.sender_host.is_object() || !flow.receiver_host.is_object()) return {};
  return lw::clocks_apart_us(flow.sender_host, flow.receiver_host);
}

json figures_of(const Flow& flow, std::optional<double> clocks_us) {
  json figures = json::object();
  const bool reads_disk =
      flow.receiver.is_null() && flow.sender.contains("figures") && flow.sender["figures"].contains("direct");
  if (flow.receiver.contains("gbit_per_s")) figures["gbit_per_s"] = flow.receiver["gbit_per_s"];
  if (reads_disk) {
    const double gbit = flow.sender.value("gbit_per_s", 0.0);
    figures["gbit_per_s"] = gbit;
    figures["read_mib_per_s"] = gbit * 1e9 / 8 / (1U << 20U);
  } else if (flow.sender.contains("gbit_per_s")) {
    figures["sent_gbit_per_s"] = flow.sender["gbit_per_s"];
  }
  for (const auto* layer : {"media", "ip", "ethernet"}) {
    const auto name = std::string(layer) + "_gbit_per_s";
    put(figures, name, number(flow.receiver, "layers_gbit_per_s", layer));
    put(figures, "sent_" + name, number(flow.sender, "layers_gbit_per_s", layer));
  }
  put(figures, "loss", loss_of(flow));
  put_counted(figures, flow);
  // A packet that was overtaken when the measurement began counted as lost for a moment.
  if (figures.contains("lost")) figures["lost"] = std::max(figures["lost"].get<double>(), 0.0);
  for (const auto* end : {&flow.sender, &flow.receiver})
    if (const auto own = end->find("figures"); own != end->end()) figures.update(*own);
  if (flow.sender.contains("frame_times") && flow.receiver.contains("frame_times"))
    add_one_way(figures, flow.sender["frame_times"], flow.receiver["frame_times"]);
  judge_by_clocks(figures, clocks_us);
  if (const auto cpu = cpu_s_per_gb(flow.sender); !cpu.is_null())
    figures[reads_disk ? "cpu_s_per_gb" : "sender_cpu_s_per_gb"] = cpu;
  if (const auto cpu = cpu_s_per_gb(flow.receiver); !cpu.is_null()) figures["receiver_cpu_s_per_gb"] = cpu;
  put(figures, "gbit_per_s_stddev", rate_stddev(flow.intervals));
  if (figures.contains("message_us_p50") && flow.sender.contains("messages_per_s") &&
      !figures.contains("messages_per_s"))
    figures["messages_per_s"] = flow.sender["messages_per_s"];
  return figures;
}

json host_of(const json& side) { return side.is_object() ? side.value("host", json::object()) : json::object(); }

// All sides that could be reached.
std::vector<const json*> sides_of(const RunOutcome& outcome) {
  std::vector<const json*> sides;
  for (const auto& host : outcome.hosts)
    for (const auto* side : {&host.client, &host.server})
      if (side->is_object()) sides.push_back(side);
  return sides;
}

std::vector<Flow> join_flows(const RunOutcome& outcome) {
  std::map<std::tuple<std::string, std::string, unsigned>, Flow> flows;
  const auto flow_at = [&](const json& of, unsigned number) -> Flow& {
    const auto load = of.at("load").get<std::string>();
    const auto direction = of.at("direction").get<std::string>();
    auto& flow = flows[{load, direction, number}];
    flow.load = load;
    flow.direction = direction;
    flow.number = number;
    return flow;
  };
  for (const auto* side : sides_of(outcome)) {
    for (const auto& end : side->at("ends")) {
      auto number = end.at("first_flow").get<unsigned>();
      for (const auto& of : end.at("flows")) {
        auto& flow = flow_at(end, number++);
        const bool sends = end.at("sends").get<bool>();
        (sends ? flow.sender : flow.receiver) = of;
        (sends ? flow.sender_host : flow.receiver_host) = host_of(*side);
      }
    }
  }
  for (const auto& entry : outcome.intervals) {
    auto& flow = flow_at(entry, entry.at("flow").get<unsigned>());
    (entry.at("sends").get<bool>() ? flow.sender_intervals : flow.intervals).push_back(entry.at("interval"));
  }
  std::vector<Flow> out;
  out.reserve(flows.size());
  for (auto& [key, flow] : flows) out.push_back(std::move(flow));
  return out;
}

// The figures of a load, from those of its flows.
class Summary {
public:
  void add(const json& figures, const std::string& direction) {
    ++flows_;
    for (const auto& [name, value] : figures.items()) values_[name].push_back(value.get<double>());
    if (const auto rate = figures.find("gbit_per_s"); rate != figures.end()) rates_[direction] += rate->get<double>();
  }
  void add_packets(double lost, double expected) {
    lost_ += lost;
    expected_ += expected;
  }
  [[nodiscard]] json figures(const std::string& prefix) const {
    json out = json::object();
    for (const auto& [name, values] : values_) {
      if (name == "recovery_s" && values.size() < flows_) continue;  // one flow has not recovered
      if (const auto value = combined(over_flows(name), values)) out[prefix + name] = *value;
    }
    if (const auto loss = values_.find("loss"); loss != values_.end())
      out[prefix + "loss"] = expected_ > 0 ? lost_ / expected_ : *std::ranges::max_element(loss->second);
    add_fairness(out, prefix);
    add_medians_of_flows(out, prefix);
    if (rates_.size() > 1)
      for (const auto& [direction, rate] : rates_) out[prefix + direction + "_gbit_per_s"] = rate;
    const auto rtt = values_.find("rtt_us");
    const auto rate = out.find(prefix + "gbit_per_s");
    if (rtt != values_.end() && rate != out.end())
      out[prefix + "bdp_bytes"] = quantile_of(rtt->second, 0.5) * 1e-6 * rate->get<double>() * 1e9 / 8;
    return out;
  }

private:
  static double sum(const std::vector<double>& values) {
    double out = 0;
    for (const double value : values) out += value;
    return out;
  }
  static std::optional<double> combined(OverFlows how, const std::vector<double>& values) {
    switch (how) {
      case OverFlows::sum:
        return sum(values);
      case OverFlows::mean:
        return sum(values) / static_cast<double>(values.size());
      case OverFlows::worst:
        return *std::ranges::max_element(values);
      case OverFlows::least:
        return *std::ranges::min_element(values);
      case OverFlows::pooled:
        return {};  // from the flows' packets
    }
    return {};
  }
  // Of the flows' rates; Jain's index: 1 if all are equal (Jain, Chiu, Hawe 1984).
  void add_fairness(json& out, const std::string& prefix) const {
    const auto found = values_.find("gbit_per_s");
    if (found == values_.end()) return;
    const auto& rates = found->second;
    const double mean = sum(rates) / static_cast<double>(rates.size());
    double squares = 0;
    for (const double rate : rates) squares += rate * rate;
    const double count = static_cast<double>(rates.size());
    out[prefix + "flow_gbit_per_s_min"] = *std::ranges::min_element(rates);
    out[prefix + "flow_gbit_per_s_max"] = *std::ranges::max_element(rates);
    out[prefix + "flow_gbit_per_s_mean"] = mean;
    out[prefix + "flow_gbit_per_s_stddev"] = std::sqrt(std::max(squares / count - mean * mean, 0.0));
    if (squares > 0) out[prefix + "fairness"] = sum(rates) * sum(rates) / (count * squares);
  }

  // Besides the worst flow, the median one.
  void add_medians_of_flows(json& out, const std::string& prefix) const {
    for (const auto& [name, as] :
         {std::pair{"gbit_per_s", "flow_gbit_per_s_median"}, std::pair{"loss", "flow_loss_median"},
          std::pair{"jitter_us_mean", "flow_jitter_us_median"}, std::pair{"pdv_us_p99", "flow_pdv_us_median"},
          std::pair{"one_way_us_p50", "flow_one_way_us_median"}})
      if (const auto values = values_.find(name); values != values_.end() && values->second.size() > 1)
        out[prefix + as] = quantile(sorted(values->second), 0.5);
    if (const auto loss = values_.find("loss"); loss != values_.end() && loss->second.size() > 1)
      out[prefix + "flow_loss_max"] = *std::ranges::max_element(loss->second);
  }

  std::map<std::string, std::vector<double>> values_;
  std::map<std::string, double> rates_;
  double lost_ = 0, expected_ = 0;
  std::size_t flows_ = 0;
};

std::string server_role(std::size_t host) { return host == 0 ? "server" : "server-" + std::to_string(host + 1); }

// The client's address is the same towards all servers.
std::vector<std::pair<std::string, const json*>> roles_of(const RunOutcome& outcome) {
  std::vector<std::pair<std::string, const json*>> roles;
  for (std::size_t i = 0; i < outcome.hosts.size(); ++i) {
    const auto& [client, server] = outcome.hosts[i];
    if (i == 0 && client.is_object()) roles.emplace_back("client", &client);
    if (server.is_object() && !outcome.same_program) roles.emplace_back(server_role(i), &server);
  }
  return roles;
}

}  // namespace

namespace {

// For a run that ends with its bursts, the time that they took; else the requested time.
double measured_s(const RunSpec& run, const RunOutcome& outcome) {
  if (std::ranges::none_of(run.loads, [](const LoadSpec& load) { return load.bursts > 0; })) return run.duration_s;
  double longest = 0;
  for (const auto* side : sides_of(outcome))
    for (const auto& end : side->at("ends"))
      for (const auto& flow : end.at("flows"))
        if (end.at("sends").get<bool>()) longest = std::max(longest, flow.value("measured_s", 0.0));
  return longest > 0 ? longest : run.duration_s;
}

constexpr std::size_t timeline_max = 4000;  // stages of a flow

// By flow. Times are since the first call of all flows.
std::map<unsigned, json> timelines_of(const std::vector<CallRecord>& calls) {
  std::map<unsigned, json> timelines;
  if (calls.empty()) return timelines;
  const auto zero = std::ranges::min(calls, {}, &CallRecord::begin).begin;
  const auto seconds = [&](WallTime time) { return std::chrono::duration<double>(time - zero).count(); };
  for (const auto& stage : burst_stages(calls)) {
    auto& timeline = timelines.try_emplace(stage.flow, json::array()).first->second;
    if (timeline.size() >= timeline_max) continue;
    timeline.push_back({{"burst", stage.burst},
                        {"stage", name_of(stage.kind)},
                        {"begin_s", seconds(stage.begin)},
                        {"end_s", seconds(stage.end)}});
  }
  return timelines;
}

json joined(const RunSpec& run, const RunOutcome& outcome) {
  const auto traced = std::ranges::find_if(run.loads, &LoadSpec::trace);
  const auto timelines = timelines_of(outcome.calls);
  const auto& first = run.loads.front();
  std::map<std::string, Summary> summaries;
  json flows = json::array();
  for (auto& flow : join_flows(outcome)) {
    auto figures = figures_of(flow, clocks_apart_us(flow, outcome.same_program));
    put(figures, "recovery_s", recovery_of(flow, run));
    auto& summary = summaries[flow.load];
    summary.add(figures, flow.direction);
    if (figures.contains("loss"))
      summary.add_packets(figures.value("lost", 0.0),
                          figures.value("lost", 0.0) + number(flow.receiver, "totals", "arrived").value_or(0));
    json entry{{"flow", flow.number},
               {"load", flow.load},
               {"direction", flow.direction},
               {"figures", std::move(figures)},
               {"intervals", flow.intervals.empty() ? flow.sender_intervals : flow.intervals}};
    if (auto stamps = receive_stamps(flow); !stamps.is_null()) entry["receive_stamps"] = std::move(stamps);
    // A peer may send anything.
    const auto load = std::ranges::find(run.loads, flow.load, &LoadSpec::name);
    if (outcome.hosts.size() > 1 && load != run.loads.end())
      entry["server"] = server_role(load->host > 0 ? load->host - 1 : flow.number / load->flows);
    const auto counters = [&](const char* name, const json& end) {
      if (!end.is_object()) return;
      entry[name] = {{"measured", end.at("totals")}, {"ever", end.at("ever")}};
      if (const auto cpu = end.find("cpu"); cpu != end.end()) entry[name]["cpu"] = *cpu;
    };
    counters("sender", flow.sender);
    counters("receiver", flow.receiver);
    if (const auto timeline = timelines.find(flow.number);
        timeline != timelines.end() && traced != run.loads.end() && traced->name == flow.load)
      entry["timeline"] = timeline->second;
    flows.push_back(std::move(entry));
  }
  json figures = json::object();
  for (const auto& [load, summary] : summaries) figures.update(summary.figures(load == first.name ? "" : load + "_"));

  json marks = json::array();
  json hosts = json::object();
  std::string error = outcome.error;
  for (const auto& [name, side] : roles_of(outcome)) {
    hosts[name] = host_of(*side);
    for (auto mark : side->value("marks", json::array())) {
      mark["host"] = name;
      marks.push_back(std::move(mark));
    }
    if (error.empty()) error = side->value("failure", std::string());
  }
  json result{{"schema", result_schema},    {"point", json::object()},
              {"began", outcome.began},     {"duration_s", measured_s(run, outcome)},
              {"warm_up_s", run.warm_up_s}, {"complete", error.empty()},
              {"marks", std::move(marks)},  {"program", std::string("wall-probe ") + LW_VERSION},
              {"load", to_json(run)},       {"figures", std::move(figures)},
              {"flows", std::move(flows)},  {"hosts", std::move(hosts)}};
  if (outcome.calls_missing > 0) result["calls_missing"] = outcome.calls_missing;
  if (!outcome.command.empty()) result["command"] = outcome.command;
  if (!error.empty()) result["error"] = error;
  return result;
}

}  // namespace

Result<json> make_result(const RunSpec& run, const RunOutcome& outcome) {
  try {
    return json_value(joined(run, outcome));
  } catch (const json::exception& error) {
    return Error{std::string("the peer's answer does not describe a side of a measurement: ") + error.what(),
                 "run the same version of wall-probe on both hosts"};
  }
}

}  // namespace lw
