#include "common/messages/reports.h"

#include "common/base/put_json.h"
#include "common/metrics/figures.h"

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

Json value_of(const Figure& figure) {
  if (const auto whole = figure.whole()) return *whole;
  return figure.number().value();
}

template <class Stats>
Json figures_json(const Stats& stats) {
  Json json = Json::object();
  const Figures<Stats> figures(stats);
  for (std::size_t i = 0; i < figures.values().size(); ++i)
    if (const auto& figure = figures.values()[i]; figure.measured())
      json[std::string(figures.metrics()[i].key)] = value_of(figure);
  return json;
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
  Json json = figures_json(now);
  json["flow"] = now.flow;
  json["tile"] = tile_id(tile);
  json["ssrc"] = now.ssrc;
  if (now.cpu >= 0) json["cpu"] = now.cpu;
  const auto all = [](const SenderFlowStats& stats) { return stats.bytes + stats.resent_bytes + stats.parity_bytes; };
  if (before != nullptr) put_rate(json, all(now), all(*before), interval_s);
  return json;
}

Json to_json(const ReceiverFlowStats& now, const ReceiverFlowStats* before, double interval_s) {
  Json json = figures_json(now);
  json["flow"] = now.flow;
  json["receiving"] = now.receiving;
  put(json, "ssrc", now.ssrc);
  if (now.cpu >= 0) json["cpu"] = now.cpu;
  if (before != nullptr) put_rate(json, now.bytes, before->bytes, interval_s);
  return json;
}

Json to_json(const TileStats& now, const TileStats* before, double interval_s) {
  Json json = figures_json(now);
  json["tile"] = tile_id(now.tile);
  if (before != nullptr && interval_s > 0) json["fps"] = static_cast<double>(now.swaps - before->swaps) / interval_s;
  return json;
}

Json to_json(const ClockStats& now) {
  Json json = figures_json(now);
  json["state"] = clock_states[static_cast<std::size_t>(now.state)];
  return json;
}

Json to_json(const ProcessStats& now, const ProcessStats* before, double interval_s) {
  Json json = figures_json(now);
  if (now.cpus != 0 && before != nullptr && interval_s > 0)
    json["cpu_share"] = (now.cpu_s - before->cpu_s) / interval_s / now.cpus;
  return json;
}

Json to_json(const SystemClockState& now) { return figures_json(now); }

Json to_json(const WallStats& now) {
  Json json = figures_json(now);
  put(json, "frame", now.frame);
  return json;
}

Json to_json(const std::vector<SwapTime>& swaps) {
  Json json = Json::array();
  for (const auto& swap : swaps)
    json.push_back({std::chrono::duration_cast<std::chrono::microseconds>(swap.pts.time_since_epoch()).count(),
                    static_cast<double>(swap.lateness.count()) / 1000});
  return json;
}

void erase_what_needs_clock_bound(Json& figures, std::span<const Metric> metrics) {
  for (const auto& metric : metrics)
    if (metric.bound == ClockBound::needed) figures.erase(metric.key);
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
    Json clean = checked_figures(*clock, metrics_of<ClockStats>);
    copy_text(clean, *clock, "state");
    if (std::ranges::find(clock_states, clean.value("state", "")) == clock_states.end()) return std::nullopt;
    out["clock"] = std::move(clean);
  }
  if (const auto process = report.find("process"); process != report.end() && process->is_object()) {
    out["process"] = checked_figures(*process, metrics_of<ProcessStats>);
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
      Json clean =
          flows ? checked_figures(entry, metrics_of<ReceiverFlowStats>) : checked_figures(entry, metrics_of<TileStats>);
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
