#include "probe/trace/trace_file.h"

#include "common/base/cannot_write.h"
#include "common/base/counted.h"
#include "common/base/print.h"
#include "common/base/text_table.h"
#include "probe/loads/call_record.h"
#include "probe/trace/chrome_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>

namespace lw {
namespace {

double nearest_rank(const std::vector<double>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

Result<void> write_trace_file(const std::string& path, const TraceWriter& writer) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
  const auto failed = [&] { return cannot_write(path, "choose another file, or make room"); };
  if (!file) return failed();
  bool written = true;
  writer([&](std::string_view text) {
    written = written && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  });
  if (!written || std::fflush(file.get()) != 0) return failed();
  return {};
}

Result<void> write_trace(const Trace& trace, const std::string& path) {
  return write_trace_file(path, [&](const auto& write) { write_chrome_trace(trace, write); });
}

nlohmann::json trace_summary(const Trace& trace) {
  std::array<std::vector<double>, stage_count> durations_us;
  for (const auto& stage : stages_of(trace))
    durations_us[static_cast<std::size_t>(stage.kind)].push_back(static_cast<double>((stage.to - stage.from).count()) /
                                                                 1000);
  nlohmann::json stages = nlohmann::json::object();
  for (std::size_t i = 0; i < stage_count; ++i) {
    auto& all = durations_us[i];
    if (all.empty()) continue;
    std::ranges::sort(all);
    stages[name_of(static_cast<StageKind>(i))] = {{"count", all.size()},
                                                  {"us_min", all.front()},
                                                  {"us_p50", nearest_rank(all, 0.5)},
                                                  {"us_p99", nearest_rank(all, 0.99)},
                                                  {"us_max", all.back()}};
  }
  std::set<WallTime> frames;
  for (const auto& record : trace.records) frames.insert(record.media_time);
  std::uint64_t dropped = 0;
  for (const auto& host : trace.hosts) dropped += host.dropped;
  return {{"frames", frames.size()},
          {"records", trace.records.size()},
          {"records_missed", trace.missed},
          {"records_dropped", dropped},
          {"stages", std::move(stages)}};
}

void print_burst_summary(const nlohmann::json& summary, const std::string& path) {
  if (const auto missing = summary["records_missing"].get<std::uint64_t>(); missing > 0)
    print_error("wall-probe: the trace lacks {} calls, whose records did not fit; trace fewer or larger bursts",
                static_cast<unsigned long long>(missing));
  TextTable table({"stage", "calls", "all flows, s", "share, %"}, "<>>>");
  for (const auto name : call_names) {
    const auto stage = summary["stages"].find(std::string(name));
    if (stage == summary["stages"].end()) continue;
    table.add({std::string(name), std::to_string((*stage)["count"].get<std::size_t>()),
               fmt::format("{:.3f}", (*stage)["s"].get<double>()),
               fmt::format("{:.1f}", 100 * stage->value("share", 0.0))});
  }
  print_out("{}", table.text());
  print_out("{} of {} in {}: open it with https://ui.perfetto.dev or chrome://tracing\n",
            counted(summary["bursts"].get<std::size_t>(), "burst"),
            counted(summary["flows"].get<std::size_t>(), "flow"), path);
}

void print_trace_summary(const nlohmann::json& summary, const std::string& path) {
  if (const auto lost =
          summary["records_missed"].get<std::uint64_t>() + summary["records_dropped"].get<std::uint64_t>();
      lost > 0)
    print_error("wall-probe: {} records are missing: frames or stages that are not in the trace may have been",
                static_cast<unsigned long long>(lost));
  TextTable table({"stage", "times", "least ms", "median ms", "p99 ms", "most ms"}, "<>>>>>");
  for (std::size_t i = 0; i < stage_count; ++i) {
    const std::string name = name_of(static_cast<StageKind>(i));
    if (!summary["stages"].contains(name)) continue;
    const auto& stage = summary["stages"][name];
    const auto ms = [&](const char* key) { return fmt::format("{:.3f}", stage[key].get<double>() / 1000); };
    table.add({name, std::to_string(stage["count"].get<std::size_t>()), ms("us_min"), ms("us_p50"), ms("us_p99"),
               ms("us_max")});
  }
  print_out("{}", table.text());
  print_out("{} in {}: open it with https://ui.perfetto.dev or chrome://tracing\n",
            counted(summary["frames"].get<std::size_t>(), "frame"), path);
}

}  // namespace lw
