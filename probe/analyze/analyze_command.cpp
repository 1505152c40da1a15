#include "probe/analyze/analyze_command.h"

#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "probe/analyze/analysis.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace lw {
namespace {

struct AnalyzeOptions {
  std::string file;
  std::uint32_t clock_hz = 0;
  bool json = false;
};

Result<int> run_analysis(const AnalyzeOptions& options) {
  const auto file = MappedFile::open(options.file);
  if (!file) return file.error();
  const auto analysis = analyze(file->bytes(), options.clock_hz);
  if (!analysis) return Error(analysis.error()).in(options.file);
  const auto out = options.json ? analysis_json(*analysis).dump(2) + "\n" : analysis_text(*analysis);
  print_out("{}", out);
  return 0;
}

}  // namespace

Command analyze_command(CLI::App& program) {
  auto options = std::make_shared<AnalyzeOptions>();
  auto* app = program.add_subcommand("analyze", "Loss, order, jitter and pacing of the RTP streams in a capture");
  app->add_option("FILE", options->file,
                  "A pcap or pcapng file, from any sender, or the .npy file of wall-probe run --records")
      ->required();
  app->add_option("--clock-hz", options->clock_hz,
                  "Clock rate of RTP timestamps (default: by payload type, RFC 3551; otherwise 90000)")
      ->check(whole_between(1, 10'000'000))
      ->option_text("HZ");
  begin_group(*app, general_options);
  app->add_flag("--json", options->json, "Print the figures as JSON");
  set_examples(*app, {{"a capture of another program", "wall-probe analyze flow.pcap"}});
  return {app, [options](const std::atomic<bool>&) { return run_analysis(*options); }};
}

}  // namespace lw
