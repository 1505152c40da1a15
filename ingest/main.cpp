// wall-ingest: image sequences, video and test patterns into a frame store.
#include "common/wall/wall_file.h"
#include "ingest/ingest.h"
#include "ingest/verify.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <map>
#include <string>

namespace {

using namespace lw;

std::atomic<bool> stop_requested{false};

int fail(const Error& error) {
  std::fprintf(stderr, "wall-ingest: %s\n", error.text().c_str());
  return 1;
}

int run_verify(const std::string& store, bool json) {
  const auto result = verify(store, json);
  if (!result) return fail(result.error());
  if (json) fmt::print("{}\n", nlohmann::json{{"event", "verified"}, {"frames", result->frames}, {"damaged", result->damaged}, {"bytes", result->bytes}}.dump());
  else fmt::print("{}: {} frames of tiles, {} damaged\n", store, result->frames, result->damaged);
  return result->damaged == 0 ? 0 : 1;
}

int run_ingest(const IngestOptions& options, const std::string& wall_file) {
  const auto wall = load_wall(wall_file);
  if (!wall) return fail(wall.error());
  const auto summary = ingest(options, *wall, stop_requested);
  if (!summary) return fail(summary.error());
  if (summary->interrupted) {
    std::fprintf(stderr, "wall-ingest: interrupted after %u frames; the same command goes on from there\n", summary->frames);
    return 1;
  }
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"event", "done"}, {"folder", summary->folder.string()}, {"frames", summary->frames}, {"frames_resumed", summary->resumed},
                                      {"bytes", summary->bytes}, {"seconds", summary->seconds}}.dump());
  } else {
    fmt::print("{}: {} frames{}, {:.1f} MB in {:.1f} s\n", summary->folder.string(), summary->frames,
               summary->resumed > 0 ? fmt::format(" ({} from an earlier run)", summary->resumed) : "", static_cast<double>(summary->bytes) / 1e6, summary->seconds);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  IngestOptions options;
  std::string wall_file;
  std::string format;
  bool verify_only = false;
  CLI::App app("Makes a frame store of a video, an image sequence or a test source, split for the tiles of a wall.\n"
               "INPUT: anything FFmpeg opens, a folder of pictures, a pattern like shot-%05d.png, or lavfi:testsrc2=size=1280x800:rate=30");
  app.set_version_flag("--version", std::string("wall-ingest ") + LW_VERSION);
  app.add_option("INPUT", options.input, "What to ingest; with --verify: the visualization's folder")->required();
  app.add_option("--wall", wall_file, "The wall file (TOML)");
  app.add_option("--out", options.out, "Directories for the stripes, one for each disk, separated by commas")->delimiter(',')->option_text("STORE[,STORE...]");
  app.add_option("--name", options.name, "Name of the visualization (default: from INPUT)")->check([](const std::string& name) {
    return name.empty() || name.front() == '.' || name.find('/') != std::string::npos ? std::string("a name has no slash and does not begin with a dot") : std::string();
  });
  app.add_option("--title", options.title, "Title for the operator");
  app.add_option("--description", options.description, "A sentence for the operator");
  app.add_option("--tag", options.tags, "A tag; may be given several times")->take_all();
  const std::map<std::string, Fit> fits{{"fit", Fit::fit}, {"fill", Fit::fill}, {"stretch", Fit::stretch}, {"exact", Fit::exact}};
  app.add_option("--fit", options.fit, "fit (borders), fill (cut off), stretch, or exact (pixel for pixel, centred)")->transform(CLI::CheckedTransformer(fits))->option_text("WAY");
  app.add_option("--rate", options.rate, "keep, wall, or a frame rate like 25 or 30000/1001 (for pictures: their rate)");
  app.add_option("--format", format, "rgb8, ycbcr422-8 or ycbcr422-10 (default: the wall file's)")->check(CLI::IsMember({"rgb8", "ycbcr422-8", "ycbcr422-10"}));
  app.add_option("--frames", options.frames_max, "Take at most this many frames")->check(CLI::Range(1U, 2'000'000'000U));
  app.add_flag("--overwrite", options.overwrite, "Replace a visualization of this name");
  app.add_flag("--verify", verify_only, "Read a store and compare every frame with its checksum");
  app.add_flag("--json", options.json, "Progress and summary as NDJSON on stdout");
  try {
    app.parse(argc, argv);
    if (!verify_only && (wall_file.empty() || options.out.empty())) throw CLI::RequiredError("--wall and --out");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { stop_requested = true; });
  if (verify_only) return run_verify(options.input, options.json);
  if (!format.empty()) options.format = parse_pixel_format(format).value();
  return run_ingest(options, wall_file);
}
