#include "probe/impair/impair_report.h"

#include "common/base/counted.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

constexpr double ns_per_ms = 1e6;
constexpr double ns_per_us = 1e3;

void put(nlohmann::json& figures, const char* name, std::optional<double> ns, double ns_per_unit) {
  if (ns) figures[name] = *ns / ns_per_unit;
}

nlohmann::json delays_json(const TimeDistribution& delay) {
  auto figures = nlohmann::json::object();
  put(figures, "p1", delay.quantile(0.01), ns_per_ms);
  put(figures, "p50", delay.quantile(0.5), ns_per_ms);
  put(figures, "p99", delay.quantile(0.99), ns_per_ms);
  put(figures, "mean", delay.mean(), ns_per_ms);
  return figures;
}

nlohmann::json late_json(const TimeDistribution& late) {
  auto figures = nlohmann::json::object();
  put(figures, "p50", late.quantile(0.5), ns_per_us);
  put(figures, "p99", late.quantile(0.99), ns_per_us);
  put(figures, "max", late.max(), ns_per_us);
  return figures;
}

}  // namespace

nlohmann::json direction_json(const RelayCounts& counts, const RelayTimes& times) {
  nlohmann::json figures{{"received", counts.received},
                         {"forwarded", counts.forwarded},
                         {"bytes", counts.bytes},
                         {"lost", counts.lost},
                         {"queue_full", counts.queue_full},
                         {"duplicated", counts.duplicated},
                         {"corrupted", counts.corrupted},
                         {"reordered", counts.reordered},
                         {"no_room", counts.no_room},
                         {"oversized", counts.oversized},
                         {"unsendable", counts.unsendable},
                         {"own_drops", counts.own_drops()},
                         {"delay_ms", delays_json(times.delay)},
                         {"departure_late_us", late_json(times.late)}};
  if (counts.socket_dropped) figures["socket_dropped"] = *counts.socket_dropped;
  return figures;
}

std::string direction_text(const RelayCounts& counts, const RelayTimes& times) {
  if (times.delay.count() == 0) return fmt::format("no packet forwarded; {} dropped by the relay", counts.own_drops());
  return fmt::format(
      "{} forwarded, delay {:.3f} ms mean, {:.3f} p1, {:.3f} p50, {:.3f} p99; departures late by {:.0f} us "
      "p50, "
      "{:.0f} p99, {:.0f} max; dropped by the relay {}: {} receive buffer, {} memory, {} too large, {} not sent",
      counted(counts.forwarded, "packet"), *times.delay.mean() / ns_per_ms, *times.delay.quantile(0.01) / ns_per_ms,
      *times.delay.quantile(0.5) / ns_per_ms, *times.delay.quantile(0.99) / ns_per_ms,
      *times.late.quantile(0.5) / ns_per_us, *times.late.quantile(0.99) / ns_per_us, *times.late.max() / ns_per_us,
      counts.own_drops(), counts.socket_dropped ? std::to_string(*counts.socket_dropped) : "unknown", counts.no_room,
      counts.oversized, counts.unsendable);
}

}  // namespace lw
