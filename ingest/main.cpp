// wall-ingest: image sequences, video and test patterns into a frame store.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "common/base/frame_rate.h"
#include "common/base/guarded.h"
#include "common/host/crash_report.h"
#include "common/wall/wall_file.h"
#include "ingest/ingest.h"
#include "ingest/verify.h"

namespace {

using namespace lw;

std::atomic<bool> stop_requested{false};

int fail(const Error& error) {
  std::fprintf(stderr, "wall-ingest: %s\n", error.text().c_str());
  return 1;
}

// One event per line; names of files need not be UTF-8.
void print_event(const nlohmann::json& event) {
  fmt::print("{}\n", event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// The first signal ends the work in order, the second at once.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of the write
}

int run_verify(const std::string& store, bool json) {
  const auto result = verify(store, json, stop_requested);
  if (!result) return fail(result.error());
  if (result->interrupted) return fail({"interrupted", "run it again to verify all frames"});
  if (json)
    print_event(
        {{"event", "verified"}, {"frames", result->frames}, {"damaged", result->damaged}, {"bytes", result->bytes}});
  else
    fmt::print("{}: {} frames of tiles, {} damaged\n", store, result->frames, result->damaged);
  return result->damaged == 0 ? 0 : 1;
}

int run_ingest(const IngestOptions& options, const std::string& wall_file) {
  const auto wall = load_wall(wall_file);
  if (!wall) return fail(wall.error());
  const auto summary = ingest(options, *wall, stop_requested);
  if (!summary) return fail(summary.error());
  if (summary->interrupted)
    return fail({fmt::format("interrupted after {} frames", summary->frames), "the same command goes on from there"});
  if (summary->expected && summary->frames + 2 < *summary->expected - *summary->expected / 50)
    fmt::print(stderr, "wall-ingest: {} ended after {} of about {} frames; check that it is whole\n", options.input,
               summary->frames, *summary->expected);
  if (options.json) {
    print_event({{"event", "done"},
                 {"folder", summary->folder.string()},
                 {"frames", summary->frames},
                 {"frames_resumed", summary->resumed},
                 {"frames_expected", summary->expected ? nlohmann::json(*summary->expected) : nlohmann::json()},
                 {"bytes", summary->bytes},
                 {"seconds", summary->seconds}});
  } else {
    const auto resumed = summary->resumed > 0 ? fmt::format(" ({} from an earlier run)", summary->resumed) : "";
    fmt::print("{}: {} frames{}, {:.1f} MB in {:.1f} s\n", summary->folder.string(), summary->frames, resumed,
               static_cast<double>(summary->bytes) / 1e6, summary->seconds);
  }
  return 0;
}

std::string check_name(const std::string& name) {
  const bool good = !name.empty() && name.front() != '.' && name.find_first_of("/\n") == std::string::npos;
  return good ? "" : "a name has no slash and does not begin with a dot";
}

std::string check_rate(const std::string& rate) {
  if (rate == "keep" || rate == "wall") return "";
  const auto parsed = parse_frame_rate(rate);
  return parsed ? "" : parsed.error().text();
}

struct CommandLine {
  IngestOptions options;
  std::string wall_file;
  std::string format;
  bool verify_only = false;
};

void add_options(CLI::App& app, CommandLine& line) {
  auto& options = line.options;
  app.set_version_flag("--version", std::string("wall-ingest ") + LW_VERSION);
  app.add_option("INPUT", options.input, "What to ingest; with --verify: the visualization's folder")->required();
  app.add_option("--wall", line.wall_file, "The wall file (TOML)");
  app.add_option("--out", options.out, "Directories for the stripes, one for each disk, separated by commas")
      ->delimiter(',')
      ->option_text("STORE[,STORE...]");
  app.add_option("--name", options.name, "Name of the visualization (default: from INPUT)")->check(check_name);
  app.add_option("--title", options.title, "Title for the operator");
  app.add_option("--description", options.description, "A sentence for the operator");
  app.add_option("--tag", options.tags, "A tag; may be given several times")->expected(1)->take_all();
  const std::map<std::string, Fit> fits{
      {"fit", Fit::fit}, {"fill", Fit::fill}, {"stretch", Fit::stretch}, {"exact", Fit::exact}};
  app.add_option(
         "--fit", options.fit,
         "fit (borders), fill (cut off), stretch, or exact (pixel for pixel, centred: cut off where the source is "
         "larger than the picture, black where smaller)")
      ->transform(CLI::CheckedTransformer(fits))
      ->option_text("WAY");
  app.add_option(
         "--rate", options.rate,
         "keep, wall, or a frame rate like 25 or 30000/1001: frames of a video are repeated or left out, pictures "
         "have no rate of their own and get this one (default: the wall's)")
      ->check(check_rate);
  app.add_option("--format", line.format, "rgb8, ycbcr422-8 or ycbcr422-10 (default: the wall file's)")
      ->check(CLI::IsMember({"rgb8", "ycbcr422-8", "ycbcr422-10"}));
  app.add_option("--start", options.start, "Begin so many seconds into the source")->check(CLI::Range(0.0, 1e9));
  app.add_option("--duration", options.duration, "Take at most so many seconds")->check(CLI::Range(0.001, 1e9));
  app.add_option("--frames", options.frames_max, "Take at most so many frames")->check(CLI::Range(1U, 2'000'000'000U));
  app.add_flag("--overwrite", options.overwrite, "Replace a visualization of this name");
  app.add_flag("--verify", line.verify_only, "Read a store and compare every frame with its checksum");
  app.add_flag("--json", options.json, "Progress and summary as NDJSON on stdout");
}

}  // namespace

int main(int argc, char** argv) {
  report_crashes("wall-ingest");
  CommandLine line;
  CLI::App app(
      "Makes a frame store of a video, an image sequence or a test source, split for the tiles of a wall.\n"
      "INPUT: anything FFmpeg opens, a folder of pictures, a pattern like shot-%05d.png or 'shot-*.png', or\n"
      "lavfi:testsrc2=size=1280x800:rate=30:duration=10. An interrupted ingest goes on when the command is given "
      "again.");
  add_options(app, line);
  try {
    app.parse(argc, argv);
    if (!line.verify_only && (line.wall_file.empty() || line.options.out.empty()))
      throw CLI::RequiredError("--wall and --out");
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "wall-ingest: %s; wall-ingest --help lists the options\n", error.what());
    return 2;
  }
  catch_signals();
  return guarded("wall-ingest", [&] {
    if (line.verify_only) return run_verify(line.options.input, line.options.json);
    if (!line.format.empty()) line.options.format = parse_pixel_format(line.format).value();
    return run_ingest(line.options, line.wall_file);
  });
}
