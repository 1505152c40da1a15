#include "probe/stamp/stamp_result.h"

#include "common/base/printable.h"
#include "common/base/text_table.h"
#include "probe/results/own_host.h"

#include <fmt/format.h>

namespace lw {
namespace {

using nlohmann::json;

json load_of(const StampSenderSettings& settings) {
  json load{{"name", "stamp"},
            {"protocol", "stamp"},
            {"to", settings.to.text()},
            {"mode", settings.mode == StampMode::authenticated ? "authenticated" : "unauthenticated"},
            {"packets", settings.packets},
            {"interval_ms", std::chrono::duration<double, std::milli>(settings.interval).count()},
            {"datagram_bytes", std::max(settings.bytes, stamp_packet_bytes(settings))},
            {"dscp", settings.traffic_class >> 2U},
            {"ecn", settings.traffic_class & 3U},
            {"timestamps", settings.format == StampTimeFormat::ptp ? "ptp" : "ntp"},
            {"extensions", settings.extensions}};
  if (settings.hardware_stamps) load["hardware_stamps"] = true;
  return load;
}

const char* name_of(StampSyncSource source) {
  switch (source) {
    case StampSyncSource::ntp:
      return "NTP";
    case StampSyncSource::ptp:
      return "PTP";
    case StampSyncSource::local:
      return "none";
    default:
      return "unknown";
  }
}
const char* name_of(StampMethod method) {
  switch (method) {
    case StampMethod::hardware:
      return "hardware";
    case StampMethod::software:
      return "software";
    case StampMethod::control_plane:
      return "control plane";
    default:
      return "unknown";
  }
}

// The other side's report about itself.
json reflector_json(const StampOutcome& outcome) {
  json reflector = json::object();
  if (outcome.sent.stateful) reflector["stateful"] = *outcome.sent.stateful;
  if (!outcome.reflector) return reflector;
  reflector["clock_source"] = name_of(outcome.reflector->source_in);
  reflector["receive_stamps"] = name_of(outcome.reflector->method_in);
  reflector["send_stamps"] = name_of(outcome.reflector->method_out);
  return reflector;
}

// The clocks' error is that of both directions.
json flow_json(const char* direction, NamedFigures figures, const NamedFigures& whole) {
  if (const auto error = whole.find("clock_error_us"); error != whole.end()) figures.insert(*error);
  return {{"flow", 0}, {"load", "stamp"}, {"direction", direction}, {"figures", figures}};
}

std::string cell(const json& figures, const char* name, const char* format) {
  const auto found = figures.find(name);
  return found == figures.end() ? "" : fmt::format(fmt::runtime(format), found->get<double>());
}

std::string clock_sentence(const json& result) {
  const auto& figures = result.at("figures");
  if (!figures.contains("rtt_us_p50")) return {};
  if (result.at("one_clock").get<bool>()) return "Both ends have one clock.";
  if (figures.contains("clock_error_us"))
    return fmt::format("The two clocks differ by no more than {} us.", cell(figures, "clock_error_us", "{:.1f}"));
  return "One-way delays are unknown: no service (chrony or PTP) guarantees a bound of the error of both clocks.";
}

}  // namespace

json stamp_result(const StampSenderSettings& settings, const StampOutcome& outcome, const std::string& began) {
  const auto figures = stamp_figures(outcome.sent, outcome.exchanges);
  auto whole = figures.whole;
  for (const auto& [name, value] : figures.forward) whole["forward_" + name] = value;
  for (const auto& [name, value] : figures.reverse) whole["reverse_" + name] = value;
  whole["send_errors"] = static_cast<double>(outcome.not_sent);
  whole["strange"] = static_cast<double>(outcome.strange);
  whole["integrity_failed"] = static_cast<double>(outcome.integrity_failed);
  json marks = json::array();
  if (outcome.clock_stepped)
    marks.push_back({{"what", "clock_stepped"}, {"note", "this host's clock was set during the measurement"}});
  return {{"schema", result_schema},
          {"began", began},
          {"duration_s", outcome.duration_s},
          {"complete", outcome.sent.packets == settings.packets},
          {"marks", std::move(marks)},
          {"program", std::string("wall-probe ") + LW_VERSION},
          {"load", {{"loads", json::array({load_of(settings)})}}},
          {"one_clock", outcome.same_host},
          {"receive_stamps", outcome.card_received ? "hardware" : "kernel"},
          {"send_stamps", outcome.card_sent ? "hardware" : "program"},
          {"reflector", reflector_json(outcome)},
          {"hosts", {{"client", own_host()}}},
          {"figures", whole},
          {"flows", json::array({flow_json("forward", figures.forward, figures.whole),
                                 flow_json("reverse", figures.reverse, figures.whole)})}};
}

std::string stamp_text(const json& result) {
  TextTable table({"direction", "lost", "loss", "reordered", "delay p50 us", "pdv p50 us", "pdv p99 us", "pdv max us",
                   "hops", "DSCP changed", "CE"},
                  "<>>>>>>>>>>");
  for (const auto& flow : result.at("flows")) {
    const auto& figures = flow.at("figures");
    table.add({flow.at("direction"), cell(figures, "lost", "{:.0f}"), cell(figures, "loss", "{:.2g}"),
               cell(figures, "reordered", "{:.0f}"), cell(figures, "delay_us_p50", "{:.1f}"),
               cell(figures, "pdv_us_p50", "{:.1f}"), cell(figures, "pdv_us_p99", "{:.1f}"),
               cell(figures, "pdv_us_max", "{:.1f}"), cell(figures, "hops_max", "{:.0f}"),
               cell(figures, "dscp_changed", "{:.0f}"), cell(figures, "ecn_ce", "{:.0f}")});
  }
  const auto& figures = result.at("figures");
  auto text = table.text();
  text += fmt::format("{} packets, lost {} ({})", cell(figures, "packets", "{:.0f}"), cell(figures, "lost", "{:.0f}"),
                      cell(figures, "loss", "{:.2g}"));
  text += figures.contains("duplicates") ? cell(figures, "duplicates", ", duplicates {:.0f}\n") : "\n";
  if (figures.contains("rtt_us_p50"))
    text += fmt::format("round trip {} us (median), {} to {} us; at the reflector {} us\n",
                        cell(figures, "rtt_us_p50", "{:.1f}"), cell(figures, "rtt_us_min", "{:.1f}"),
                        cell(figures, "rtt_us_max", "{:.1f}"), cell(figures, "reflector_us_p50", "{:.1f}"));
  if (result.at("load").at("loads").front().contains("hardware_stamps"))
    text += fmt::format("time stamps here: departures {}, arrivals {}\n", result.at("send_stamps").get<std::string>(),
                        result.at("receive_stamps").get<std::string>());
  if (const auto sentence = clock_sentence(result); !sentence.empty()) text += sentence + "\n";
  for (const auto& mark : result.at("marks")) text += "MARKED: " + printable(mark.at("note").get<std::string>()) + "\n";
  return text;
}

}  // namespace lw
