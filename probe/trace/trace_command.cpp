#include "probe/trace/trace_command.h"

#include "common/base/text_table.h"
#include "probe/run/credential_options.h"
#include "probe/trace/chrome_trace.h"
#include "probe/trace/trace_client.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

namespace lw {
namespace {

struct TraceOptions {
  std::string connect = "127.0.0.1:9010";
  CredentialOptions credentials;
  std::string out;
  TraceSpan span;
  bool json = false;
};

Result<void> write_file(const Trace& trace, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
  const auto failed = [&] {
    return Error{"cannot write " + path + ": " + std::strerror(errno), "choose another --out"};
  };
  if (!file) return failed();
  bool written = true;
  write_chrome_trace(trace, [&](std::string_view text) {
    written = written && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  });
  if (!written || std::fflush(file.get()) != 0) return failed();
  return {};
}

double nearest_rank(const std::vector<double>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

nlohmann::json summary(const Trace& trace) {
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

void print(const nlohmann::json& summary, const std::string& out) {
  TextTable table({"stage", "times", "least ms", "median ms", "p99 ms", "most ms"}, "<>>>>>");
  for (std::size_t i = 0; i < stage_count; ++i) {
    const std::string name = name_of(static_cast<StageKind>(i));
    if (!summary["stages"].contains(name)) continue;
    const auto& stage = summary["stages"][name];
    const auto ms = [&](const char* key) { return fmt::format("{:.3f}", stage[key].get<double>() / 1000); };
    table.add({name, std::to_string(stage["count"].get<std::size_t>()), ms("us_min"), ms("us_p50"), ms("us_p99"),
               ms("us_max")});
  }
  std::fputs(table.text().c_str(), stdout);
  std::printf("%zu frames in %s: open it with https://ui.perfetto.dev or chrome://tracing\n",
              summary["frames"].get<std::size_t>(), out.c_str());
}

Result<int> trace(const TraceOptions& options, const std::atomic<bool>& stop) {
  const auto server = RpcCaller::connect(options.connect, stop, options.credentials);
  if (!server) return server.error();
  const auto trace = get_trace(**server, options.span, stop);
  if (!trace) return trace.error();
  if (const auto written = write_file(*trace, options.out); !written) return written.error();
  const auto figures = summary(*trace);
  if (const auto lost =
          figures["records_missed"].get<std::uint64_t>() + figures["records_dropped"].get<std::uint64_t>();
      lost > 0)
    std::fprintf(stderr,
                 "wall-probe: %llu records are missing: frames or stages that are not in the trace may have been\n",
                 static_cast<unsigned long long>(lost));
  if (options.json)
    std::printf("%s\n", figures.dump(2).c_str());
  else
    print(figures, options.out);
  return 0;
}

}  // namespace

Command trace_command(CLI::App& program) {
  auto options = std::make_shared<TraceOptions>();
  auto* app = program.add_subcommand("trace", "The life of every frame of a running wall, for Perfetto");
  app->add_option("--connect", options->connect, "The server's control plane")
      ->option_text("ADDRESS:PORT")
      ->capture_default_str();
  add_credential_options(*app, options->credentials);
  app->add_option("--seconds", options->span.seconds, "Trace so long")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  app->add_flag("--back", options->span.back, "The seconds that have just been, as far as the server still knows them");
  app->add_option("--out", options->out, "Chrome trace event JSON")->required()->option_text("FILE");
  app->add_flag("--json", options->json, "Print the summary as JSON");
  return {app, [options](const std::atomic<bool>& stop) { return trace(*options, stop); }};
}

}  // namespace lw
