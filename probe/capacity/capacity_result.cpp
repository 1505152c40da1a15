#include "probe/capacity/capacity_result.h"

#include "common/base/printable.h"
#include "common/base/text_table.h"
#include "common/wire/layer_bytes.h"
#include "probe/results/own_host.h"
#include "probe/results/probe_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

using nlohmann::json;
using Interval = CapacityReceived::Interval;

constexpr double skipped_max = 0.01;  // of the packets sent, that a sender may skip without a mark

// Of one measurement, what its packets come to.
class Rates {
public:
  Rates(const CapacitySpec& spec, bool ipv6)
      : udp_bytes_(spec.datagram_bytes),
        ip_bytes_(udp_bytes_ + wire::udp_header_bytes + wire::ip_header_bytes(ipv6)),
        interval_s_(spec.interval_s) {}
  [[nodiscard]] double udp(std::uint64_t packets) const { return rate(packets, udp_bytes_); }
  // C(T, dt, PM) of section 5.3, in Gbit/s.
  [[nodiscard]] double ip(std::uint64_t packets) const { return rate(packets, ip_bytes_); }

private:
  [[nodiscard]] double rate(std::uint64_t packets, std::size_t bytes) const {
    return static_cast<double>(packets) * static_cast<double>(bytes) * 8e-9 / interval_s_;
  }
  std::size_t udp_bytes_, ip_bytes_;
  double interval_s_;
};

void put(json& figures, const char* name, const std::optional<double>& value) {
  if (value) figures[name] = *value;
}

// Of the sub-interval in which the most arrived: Maximum_C(T, I, PM) and what goes with it (sections 6.3 and 6.4).
json best_figures(const CapacitySpec& spec, const CapacityOutcome& outcome, const Rates& rates) {
  const auto& intervals = outcome.received.intervals;
  json figures = json::object();
  const auto best = std::ranges::max_element(intervals, {}, &Interval::received);
  if (best == intervals.end()) return figures;
  const auto index = static_cast<std::size_t>(best - intervals.begin());
  figures["ip_capacity_gbit_per_s"] = rates.ip(best->received);
  figures["ip_capacity_at_s"] = spec.interval_s * static_cast<double>(index);
  figures["ip_capacity_sent_gbit_per_s"] = rates.ip(best->sent);
  if (index < outcome.sent.offered_gbit_per_s.size())
    figures["ip_capacity_offered_gbit_per_s"] = outcome.sent.offered_gbit_per_s[index];
  if (best->sent > 0) figures["ip_capacity_loss"] = static_cast<double>(best->lost) / static_cast<double>(best->sent);
  figures["ip_capacity_reordered"] = static_cast<double>(best->reordered);
  figures["ip_capacity_duplicates"] = static_cast<double>(best->duplicates);
  put(figures, "ip_capacity_rtt_us_min", best->round_trip_us_min);
  put(figures, "ip_capacity_rtt_us_max", best->round_trip_us_max);
  put(figures, "ip_capacity_one_way_range_us", best->one_way_range_us);
  return figures;
}

void put_totals(json& figures, const CapacityOutcome& outcome) {
  Interval all;
  for (const auto& interval : outcome.received.intervals) {
    all.sent += interval.sent;
    all.received += interval.received;
    all.reordered += interval.reordered;
    all.duplicates += interval.duplicates;
  }
  const auto lost = static_cast<double>(all.sent > all.received ? all.sent - all.received : 0);
  if (all.sent > 0) figures["loss"] = lost / static_cast<double>(all.sent);
  figures["lost"] = lost;
  figures["reordered"] = static_cast<double>(all.reordered);
  figures["duplicates"] = static_cast<double>(all.duplicates);
  figures["send_errors"] = static_cast<double>(outcome.sent.send_errors);
  figures["skipped_packets"] = static_cast<double>(outcome.sent.skipped);
  figures["reports_lost"] = static_cast<double>(outcome.sent.statuses_lost);
  if (outcome.received.kernel_drops) figures["kernel_drops"] = static_cast<double>(*outcome.received.kernel_drops);
}

json intervals_json(const CapacitySpec& spec, const CapacityOutcome& outcome, const Rates& rates) {
  json intervals = json::array();
  for (std::size_t i = 0; i < outcome.received.intervals.size(); ++i) {
    const auto& interval = outcome.received.intervals[i];
    const double begin = spec.interval_s * static_cast<double>(i);
    json entry{{"begin_s", begin},
               {"end_s", begin + spec.interval_s},
               {"gbit_per_s", rates.udp(interval.received)},
               {"ip_gbit_per_s", rates.ip(interval.received)},
               {"sent_ip_gbit_per_s", rates.ip(interval.sent)},
               {"packets", interval.received},
               {"lost", interval.lost},
               {"reordered", interval.reordered},
               {"duplicates", interval.duplicates}};
    if (i < outcome.sent.offered_gbit_per_s.size()) entry["offered_ip_gbit_per_s"] = outcome.sent.offered_gbit_per_s[i];
    put(entry, "rtt_us_min", interval.round_trip_us_min);
    put(entry, "rtt_us_max", interval.round_trip_us_max);
    put(entry, "one_way_range_us", interval.one_way_range_us);
    intervals.push_back(std::move(entry));
  }
  return intervals;
}

json marks_of(const CapacitySpec& spec, const CapacityOutcome& outcome) {
  json marks = json::array();
  const auto& sent = outcome.sent;
  if (!sent.congested)
    marks.push_back({{"what", "not_congested"},
                     {"note", fmt::format("the path was never congested: its capacity may be higher. Measure longer, "
                                          "or begin with a higher rate; the highest is {:g} Gbit/s",
                                          spec.gbit_per_s_max)}});
  if (static_cast<double>(sent.skipped) > skipped_max * static_cast<double>(sent.packets))
    marks.push_back({{"what", "sender_limited"},
                     {"note", fmt::format("the sender was too slow for {} packets: its host, and not the path, may be "
                                          "what limits the rate",
                                          sent.skipped)}});
  return marks;
}

json load_of(const CapacitySpec& spec, const std::string& to) {
  json load{{"name", "capacity"}, {"protocol", "capacity"}, {"to", to}};
  load.update(to_json(spec));
  return load;
}

std::string error_of(const CapacityOutcome& outcome) {
  return !outcome.received.ended.empty() ? outcome.received.ended : outcome.sent.ended;
}

std::string cell(const json& figures, const char* name, const char* format, double scale = 1) {
  const auto found = figures.find(name);
  return found == figures.end() ? "-" : fmt::format(fmt::runtime(format), found->get<double>() * scale);
}

}  // namespace

json capacity_result(const CapacitySpec& spec, const CapacityOutcome& outcome) {
  const Rates rates(spec, outcome.ipv6);
  const bool complete = outcome.received.intervals.size() == spec.intervals();
  auto of_flow = best_figures(spec, outcome, rates);
  put_totals(of_flow, outcome);
  auto figures = of_flow;
  figures["packets"] = static_cast<double>(outcome.sent.packets);
  figures["strange"] = static_cast<double>(outcome.received.strange);
  json result{{"schema", result_schema},
              {"began", outcome.began},
              {"duration_s", spec.interval_s * static_cast<double>(outcome.received.intervals.size())},
              {"complete", complete},
              {"marks", marks_of(spec, outcome)},
              {"program", std::string("wall-probe ") + LW_VERSION},
              {"load", {{"loads", json::array({load_of(spec, outcome.to)})}}},
              {"hosts", {{"client", own_host()}}},
              {"figures", figures},
              {"flows", json::array({{{"flow", 0},
                                      {"load", "capacity"},
                                      {"direction", spec.reverse ? "reverse" : "forward"},
                                      {"figures", of_flow},
                                      {"intervals", intervals_json(spec, outcome, rates)}}})}};
  if (!complete) result["error"] = error_of(outcome);
  return result;
}

std::string capacity_text(const json& result) {
  TextTable table({"seconds", "offered Mbit/s", "sent", "received", "lost", "reordered", "rtt ms", "one-way range ms"},
                  "<>>>>>>>");
  for (const auto& interval : result.at("flows").at(0).at("intervals"))
    table.add({fmt::format("{:.1f}-{:.1f}", interval.at("begin_s").get<double>(), interval.at("end_s").get<double>()),
               cell(interval, "offered_ip_gbit_per_s", "{:.1f}", 1000),
               cell(interval, "sent_ip_gbit_per_s", "{:.1f}", 1000), cell(interval, "ip_gbit_per_s", "{:.1f}", 1000),
               cell(interval, "lost", "{:.0f}"), cell(interval, "reordered", "{:.0f}"),
               cell(interval, "rtt_us_min", "{:.2f}", 1e-3) + "-" + cell(interval, "rtt_us_max", "{:.2f}", 1e-3),
               cell(interval, "one_way_range_us", "{:.2f}", 1e-3)});
  auto text = table.text();
  const auto& figures = result.at("figures");
  if (figures.contains("ip_capacity_gbit_per_s"))
    text += fmt::format("maximum IP-layer capacity {} Mbit/s (at {} s), loss {}, round trip {} to {} ms\n",
                        cell(figures, "ip_capacity_gbit_per_s", "{:.1f}", 1000),
                        cell(figures, "ip_capacity_at_s", "{:g}"), cell(figures, "ip_capacity_loss", "{:.2g}"),
                        cell(figures, "ip_capacity_rtt_us_min", "{:.2f}", 1e-3),
                        cell(figures, "ip_capacity_rtt_us_max", "{:.2f}", 1e-3));
  for (const auto& mark : result.at("marks")) text += "MARKED: " + printable(mark.at("note").get<std::string>()) + "\n";
  return text;
}

}  // namespace lw
