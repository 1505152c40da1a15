#include "common/control/reports.h"

#include "common/base/put_json.h"
#include "common/metrics/registry.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lw {
namespace {

constexpr std::size_t flows_per_report_max = 4096;
constexpr std::size_t swaps_per_report_max = 256;
constexpr std::size_t report_text_bytes_max = 256;
constexpr std::array<std::string_view, 4> clock_states{"system", "waiting", "kept", "holdover"};

void put_us(Json& json, const char* key, const std::optional<Nanoseconds>& value) {
  if (value) json[key] = static_cast<double>(value->count()) / 1000;
}

void put_stage(Json& json, const std::string& stage, const StageQuantiles& times) {
  put(json, (stage + "_us_p50").c_str(), times.p50);
  put(json, (stage + "_us_p99").c_str(), times.p99);
}

Json tile_id(TileId tile) { return Json::array({tile.column, tile.row}); }

void put_rate(Json& json, std::uint64_t now, std::uint64_t before, double interval_s) {
  if (interval_s > 0) json["gbit_per_s"] = static_cast<double>(now - before) * 8 / 1e9 / interval_s;
}

// Copies the members of one flow or tile that the table knows and that are finite numbers.
Json checked_figures(const Json& from, std::span<const Metric> metrics) {
  Json out = Json::object();
  for (const auto& metric : metrics)
    if (const auto value = from.find(metric.key);
        value != from.end() && value->is_number() && std::isfinite(value->get<double>()))
      out[std::string(metric.key)] = *value;
  return out;
}

void copy_if(Json& out, const Json& from, const char* key, bool (Json::*is)() const noexcept) {
  if (const auto value = from.find(key); value != from.end() && ((*value).*is)()) out[key] = *value;
}

void copy_text(Json& out, const Json& from, const char* key) {
  if (const auto value = from.find(key);
      value != from.end() && value->is_string() && value->get_ref<const std::string&>().size() <= report_text_bytes_max)
    out[key] = *value;
}

bool is_tile(const Json& value) {
  return value.is_array() && value.size() == 2 && value[0].is_number_unsigned() && value[1].is_number_unsigned();
}

bool are_swaps(const Json& value) {
  return value.is_array() && value.size() <= swaps_per_report_max && std::ranges::all_of(value, [](const Json& swap) {
           return swap.is_array() && swap.size() == 2 && swap[0].is_number_integer() && swap[1].is_number();
         });
}

}  // namespace

Json to_json(const SenderFlowStats& now, const SenderFlowStats* before, TileId tile, double interval_s) {
  Json json{{"flow", now.flow},
            {"tile", tile_id(tile)},
            {"ssrc", now.ssrc},
            {"packets", now.packets},
            {"bytes", now.bytes},
            {"frames", now.frames},
            {"frames_skipped", now.frames_skipped},
            {"send_errors", now.send_errors},
            {"resent", now.resent},
            {"resent_bytes", now.resent_bytes},
            {"resends_refused", now.resends_refused},
            {"parity", now.parity},
            {"parity_bytes", now.parity_bytes},
            {"rtcp_refused", now.rtcp_refused},
            {"calls", now.calls},
            {"zero_copy_calls", now.zero_copy_calls},
            {"cpu_s", now.cpu_s},
            {"late_us_max", static_cast<double>(now.late_max.count()) / 1000}};
  if (now.cpu >= 0) json["cpu"] = now.cpu;
  if (now.round_trip) json["rtt_us"] = static_cast<double>(now.round_trip->count()) / 1000;
  put_stage(json, "read", now.read);
  put_stage(json, "queue", now.queue);
  put_stage(json, "send", now.send);
  const auto all = [](const SenderFlowStats& stats) { return stats.bytes + stats.resent_bytes + stats.parity_bytes; };
  if (before != nullptr) put_rate(json, all(now), all(*before), interval_s);
  return json;
}

Json to_json(const ReceiverFlowStats& now, const ReceiverFlowStats* before, double interval_s) {
  Json json{{"flow", now.flow},
            {"receiving", now.receiving},
            {"packets", now.packets},
            {"bytes", now.bytes},
            {"calls", now.calls},
            {"cpu_s", now.cpu_s},
            {"used", now.used},
            {"in_place", now.in_place},
            {"lost", now.lost},
            {"resends_asked", now.resends_asked},
            {"resent", now.resent},
            {"repaired", now.repaired},
            {"parity", now.parity},
            {"rebuilt", now.rebuilt},
            {"duplicates", now.duplicates},
            {"reordered", now.reordered},
            {"late", now.late},
            {"invalid", now.invalid},
            {"strangers", now.strangers},
            {"rtcp_refused", now.rtcp_refused},
            {"loss_runs", now.loss_runs},
            {"loss_run_max", now.loss_run_max},
            {"bands_whole", now.bands_whole},
            {"bands_incomplete", now.bands_incomplete},
            {"bands_dropped", now.bands_dropped}};
  put(json, "ssrc", now.ssrc);
  if (now.cpu >= 0) json["cpu"] = now.cpu;
  put(json, "second_path", now.second_path);
  put(json, "kernel_drops", now.kernel_drops);
  put(json, "unauthentic", now.unauthentic);
  put(json, "jitter_us", now.jitter_us);
  if (now.jitter_us) json["jitter_max_us"] = now.jitter_max_us;
  put(json, "delay_us_min", now.delay_us_min);
  put(json, "delay_us_p50", now.delay_us_p50);
  put(json, "delay_us_p99", now.delay_us_p99);
  put(json, "completion_us_p50", now.completion_us_p50);
  put(json, "completion_us_p99", now.completion_us_p99);
  put_stage(json, "assemble", now.assemble);
  if (before != nullptr) put_rate(json, now.bytes, before->bytes, interval_s);
  return json;
}

Json to_json(const TileStats& now, const TileStats* before, double interval_s) {
  Json json{{"tile", tile_id(now.tile)},
            {"frames_due", now.frames_due},
            {"shown_whole", now.shown_whole},
            {"shown_repaired", now.shown_repaired},
            {"shown_concealed", now.shown_concealed},
            {"not_shown", now.not_shown},
            {"not_committed", now.not_committed},
            {"cut_at_start", now.cut_at_start},
            {"late", now.late},
            {"swaps", now.swaps},
            {"playout_frames", now.playout_frames}};
  put(json, "frame", now.frame);
  put(json, "lateness_us_p50", now.lateness_us_p50);
  put(json, "lateness_us_p99", now.lateness_us_p99);
  put(json, "lateness_us_max", now.lateness_us_max);
  put(json, "scanout_us_p50", now.scanout_us_p50);
  put(json, "scanout_us_p99", now.scanout_us_p99);
  put_stage(json, "wait", now.wait);
  put_stage(json, "upload", now.upload);
  put_stage(json, "swap", now.swap);
  if (before != nullptr && interval_s > 0) json["fps"] = static_cast<double>(now.swaps - before->swaps) / interval_s;
  return json;
}

Json to_json(const ClockStats& now) {
  Json json{{"state", clock_states[static_cast<std::size_t>(now.state)]}};
  put_us(json, "error_us", now.error);
  put_us(json, "offset_us", now.offset);
  put(json, "drift_ppm", now.drift_ppm);
  put_us(json, "round_trip_us_min", now.round_trip_min);
  put_us(json, "phc_offset_us", now.phc_offset);
  if (now.state != ClockState::system) json["steps"] = now.steps;
  return json;
}

Json to_json(const ProcessStats& now, const ProcessStats* before, double interval_s) {
  Json json{{"cpu_s", now.cpu_s}};
  if (now.cpus == 0) return json;
  json["cpus"] = now.cpus;
  if (before != nullptr && interval_s > 0) json["cpu_share"] = (now.cpu_s - before->cpu_s) / interval_s / now.cpus;
  return json;
}

Json to_json(const SystemClockState& now) {
  Json json = Json::object();
  put_us(json, "error_us", now.error);
  put_us(json, "phc_offset_us", now.phc_offset);
  return json;
}

Json to_json(const std::vector<SwapTime>& swaps) {
  Json json = Json::array();
  for (const auto& swap : swaps)
    json.push_back({std::chrono::duration_cast<std::chrono::microseconds>(swap.pts.time_since_epoch()).count(),
                    static_cast<double>(swap.lateness.count()) / 1000});
  return json;
}

std::string to_iso8601(WallTime time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ms / 1000)), ms % 1000);
}

std::optional<Json> checked_report(const Json& report) {
  if (!report.is_object()) return std::nullopt;
  Json out = Json::object();
  copy_text(out, report, "node");
  copy_text(out, report, "time");
  copy_text(out, report, "renderer");
  copy_text(out, report, "swap_group");
  copy_if(out, report, "interval_s", &Json::is_number);
  if (const auto clock = report.find("clock"); clock != report.end() && clock->is_object()) {
    Json clean = checked_figures(*clock, node_clock_metrics);
    copy_text(clean, *clock, "state");
    if (std::ranges::find(clock_states, clean.value("state", "")) == clock_states.end()) return std::nullopt;
    out["clock"] = std::move(clean);
  }
  if (const auto process = report.find("process"); process != report.end() && process->is_object()) {
    out["process"] = checked_figures(*process, node_process_metrics);
    copy_if(out["process"], *process, "cpu_share", &Json::is_number);
  }
  out["flows"] = Json::array();
  out["tiles"] = Json::array();
  for (const char* list : {"flows", "tiles"}) {
    const auto entries = report.find(list);
    if (entries == report.end() || !entries->is_array() || entries->size() > flows_per_report_max) return std::nullopt;
    const bool flows = std::string_view(list) == "flows";
    for (const auto& entry : *entries) {
      if (!entry.is_object()) return std::nullopt;
      Json clean = flows ? checked_figures(entry, receiver_flow_metrics) : checked_figures(entry, tile_metrics);
      if (flows) {
        if (!entry.contains("flow") || !entry["flow"].is_number_unsigned()) return std::nullopt;
        clean["flow"] = entry["flow"];
        copy_if(clean, entry, "receiving", &Json::is_boolean);
        copy_if(clean, entry, "ssrc", &Json::is_number_unsigned);
        copy_if(clean, entry, "cpu", &Json::is_number_integer);
        copy_if(clean, entry, "gbit_per_s", &Json::is_number);
      } else {
        if (!entry.contains("tile") || !is_tile(entry["tile"])) return std::nullopt;
        clean["tile"] = entry["tile"];
        copy_if(clean, entry, "fps", &Json::is_number);
        copy_text(clean, entry, "pattern");
        if (const auto swaps = entry.find("presented"); swaps != entry.end() && are_swaps(*swaps))
          clean["presented"] = *swaps;
      }
      out[list].push_back(std::move(clean));
    }
  }
  return out;
}

}  // namespace lw
