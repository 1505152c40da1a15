// wall-ingest: image sequences, video and test patterns into a frame store.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/counted.h"
#include "common/base/frame_rate.h"
#include "common/base/guarded.h"
#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "common/host/crash_report.h"
#include "common/store/manifest.h"
#include "common/store/store_name.h"
#include "common/store/store_text_limits.h"
#include "common/wall/wall_file.h"
#include "ingest/ingest.h"
#include "ingest/verify.h"

namespace {

using namespace lw;

std::atomic<bool> stop_requested{false};

int fail(const Error& error) {
  print_error("wall-ingest: {}", error.text());
  return 1;
}

// One event per line. File names may contain bytes that are not UTF-8.
void print_event(const nlohmann::json& event) {
  print_out("{}\n", event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// The first signal ends the import cleanly, the second one immediately.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes a write error
}

int run_verify(const std::string& store, bool json, const WriteRate& rate) {
  const auto result = verify(store, json, stop_requested, rate);
  if (!result) return fail(result.error());
  if (result->interrupted) return fail({"interrupted", "run it again to verify all frames"});
  if (json)
    print_event(
        {{"event", "verified"}, {"frames", result->frames}, {"damaged", result->damaged}, {"bytes", result->bytes}});
  else
    print_out("{}: {}, {} damaged\n", store, counted(result->frames, "tile frame"), result->damaged);
  return result->damaged == 0 ? 0 : 1;
}

int run_probe(const IngestOptions& options, const std::string& wall_file) {
  const auto wall = load_wall(wall_file);
  if (!wall) return fail(wall.error());
  const auto facts = probe(options, *wall, stop_requested);
  if (!facts) return fail(facts.error());
  print_out("{}\n", options.json ? to_json_line(*facts) : to_text(*facts));
  return 0;
}

int run_ingest(const IngestOptions& options, const std::string& wall_file, bool join) {
  const auto wall = load_wall(wall_file);
  if (!wall) return fail(wall.error());
  const auto summary = join ? join_shards(options, *wall, stop_requested) : ingest(options, *wall, stop_requested);
  if (!summary) return fail(summary.error());
  if (summary->interrupted)
    return fail({fmt::format("interrupted after {}", counted(summary->frames, "frame")),
                 "run the same command again to continue"});
  if (summary->expected && summary->frames + 2 < *summary->expected - *summary->expected / 50)
    print_error("wall-ingest: {} ended after {} of about {}; check that it is complete", options.input, summary->frames,
                counted(*summary->expected, "frame"));
  if (options.json) {
    print_event({{"event", "done"},
                 {"folder", summary->folders.front().string()},
                 {"frames", summary->frames},
                 {"frames_resumed", summary->resumed},
                 {"frames_expected", summary->expected ? nlohmann::json(*summary->expected) : nlohmann::json()},
                 {"bytes", summary->bytes},
                 {"seconds", summary->seconds},
                 {"damaged_copies", summary->damaged}});
  } else {
    const auto shard = options.shard ? " shard " + to_text(*options.shard) : "";
    const auto resumed = summary->resumed > 0 ? fmt::format(" ({} from an earlier run)", summary->resumed) : "";
    std::string folders;
    for (const auto& folder : summary->folders) folders += (folders.empty() ? "" : ", ") + folder.string();
    print_out("{}{}: {}{}, {:.1f} MB in {:.1f} s\n", folders, shard, counted(summary->frames, "frame"), resumed,
              static_cast<double>(summary->bytes) / 1e6, summary->seconds);
    if (summary->damaged > 0)
      print_error("wall-ingest: {} damaged in {}: other copies of them were read",
                  counted(summary->damaged, "tile frame"), options.input);
  }
  return 0;
}

std::string check_name(const std::string& name) {
  const auto good = check_store_name(name);
  return good ? "" : good.error().text();
}

// Readers of the store would refuse longer texts.
std::function<std::string(const std::string&)> up_to(std::size_t bytes) {
  return [bytes](const std::string& text) {
    return text.size() <= bytes ? "" : fmt::format("a text of {} bytes; use at most {}", text.size(), bytes);
  };
}

std::string check_rate(const std::string& rate) {
  if (is_write_rate(rate)) {
    const auto parsed = parse_write_rate(rate);
    return parsed ? "" : parsed.error().text();
  }
  if (rate == "keep" || rate == "wall") return "";
  const auto parsed = parse_frame_rate(rate);
  return parsed ? "" : parsed.error().text();
}

struct CommandLine {
  IngestOptions options;
  std::string wall_file;
  std::string fit = "fit";
  std::string format;
  std::string background;
  std::vector<std::string> rates;
  std::string shard;
  bool join = false;
  bool verify_only = false;
  bool probe_only = false;
};

std::string check_shard(const std::string& text) {
  const auto parsed = parse_shard(text);
  return parsed ? "" : parsed.error().text();
}

std::string check_background(const std::string& text) {
  const auto parsed = parse_background(text);
  return parsed ? "" : parsed.error().text();
}

void add_source_options(CLI::App& app, CommandLine& line) {
  auto& options = line.options;
  auto* input =
      app.add_option("INPUT", options.input,
                     "Anything FFmpeg opens, a folder of images, a pattern like shot-%05d.png or 'shot-*.png', "
                     "lavfi:GRAPH, or the folder of a visualization; with --verify: the visualization's folder")
          ->required()
          ->option_text("FILE");
  begin_group(app, "Source");
  auto* from = app.add_option("--from", options.from,
                              "Instead of INPUT: a visualization's folder, whose frames are recut for this wall. If "
                              "several servers have its tiles, their folders, separated by commas")
                   ->delimiter(',')
                   ->option_text("FOLDER[,FOLDER...]")
                   ->excludes(input);
  from->each([input](const std::string& /*given*/) { input->required(false); });
  app.add_option("--start", options.start, "Skip this many seconds of the source")
      ->check(number_between(0, 1e9))
      ->option_text("SECONDS");
  app.add_option("--duration", options.duration, "Import at most this many seconds")
      ->check(number_between(0.001, 1e9))
      ->option_text("SECONDS");
  app.add_option("--frames", options.frames_max, "Import at most this many frames")
      ->check(whole_between(1, 2'000'000'000));
  app.add_flag("--no-sound", options.no_sound, "Leave the sound of the source (default: keep it)");
  auto* follow = app.add_option("--follow", options.follow,
                                "Import a numbered pattern while it is being rendered: wait for images, and end when "
                                "none came for so many seconds. Servers can play what is there meanwhile")
                     ->check(number_between(0.1, 1e9))
                     ->option_text("SECONDS");
  app.add_option("--last", options.last, "With --follow: the number of the last image, which ends the import")
      ->check(whole_between(0, 2'000'000'000))
      ->option_text("NUMBER")
      ->needs(follow);
  app.add_flag("--follow-links", options.follow_links,
               "Follow images of a sequence that are links to other folders (default: an error)");
}

void add_picture_options(CLI::App& app, CommandLine& line) {
  begin_group(app, "Pixels");
  app.add_option(
         "--fit", line.fit,
         "fit (borders), fill (cut off), stretch, or exact (pixel for pixel, centred: cut off if the source is larger "
         "than the wall, black borders if smaller)")
      ->check(one_of({"fit", "fill", "stretch", "exact"}))
      ->option_text("WAY")
      ->capture_default_str();
  app.add_option(
         "--rate", line.rates,
         "keep, wall, or a frame rate like 25 or 30000/1001: frames of a video are repeated or dropped; images "
         "have no rate and get this one (default: the wall's). With a unit, like 200MB/s or 1.5GB/s: maximum rate of "
         "writing, or of reading with --verify; max: do not slow down for a server that plays from there. A frame "
         "rate and a write rate may both be given")
      ->expected(1)
      ->take_all()
      ->option_text("RATE")
      ->check(check_rate);
  app.add_option("--background", line.background,
                 "Behind transparent pixels of the source: #rrggbb, or a name like white (default: black)")
      ->option_text("COLOUR")
      ->check(check_background);
  app.add_option("--format", line.format, "Pixel format (default: the wall file's)")
      ->check(one_of({"rgb8", "ycbcr422-8", "ycbcr422-10", "bc7", "bc1", "rgb10", "lossless"}));
}

void add_colour_options(CLI::App& app, SourceTags& tags) {
  begin_group(app, "Colours of the source, where its tags are missing or wrong");
  const auto add = [&](const char* name, const char* text, const std::vector<std::string>& words,
                       const std::function<void(const std::string&)>& take) {
    app.add_option_function<std::string>(name, take, text)->check(one_of(words))->option_text("NAME");
  };
  add("--source-colour", "Primaries (default: its tag's, otherwise bt2020 for HDR and bt709 for all else)",
      source_primaries_names(), [&tags](const std::string& name) { tags.primaries = source_primaries(name); });
  add("--source-transfer", "Transfer function (default: its tag's, otherwise sdr)", {"sdr", "pq", "hlg"},
      [&tags](const std::string& name) { tags.transfer = parse_transfer(name).value(); });
  add("--source-matrix",
      "Matrix of Y'CbCr (default: its tag's, otherwise that of its primaries: bt709 from 720 rows on, bt601 below)",
      source_matrix_names(), [&tags](const std::string& name) { tags.matrix = source_matrix(name); });
  add("--source-range", "Range of Y'CbCr and grey (default: its tag's, otherwise video; grey: full)", {"video", "full"},
      [&tags](const std::string& name) { tags.range = name == "full" ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG; });
  app.add_option("--source-peak", tags.peak,
                 "Brightness of a PQ source's brightest content, in cd/m2; what is brighter is clipped where the wall "
                 "shows less (default: 1000)")
      ->check(number_between(203, 10'000))
      ->option_text("NITS");
}

void add_store_options(CLI::App& app, CommandLine& line) {
  auto& options = line.options;
  begin_group(app, "Store");
  auto* wall = app.add_option("--wall", line.wall_file, "The wall file (TOML)")->option_text("FILE")->required();
  auto* out = app.add_option("--out", options.out,
                             "Directories for the stripes, one per disk, separated by commas; with SERVER= before the "
                             "first of them, a store with the tiles that this server of the wall sends, for each "
                             "server that is named")
                  ->delimiter(',')
                  ->option_text("[SERVER=]STORE[,STORE...]")
                  ->required();
  app.add_flag("--create", options.create, "Make the folders of --out, with those above them");
  app.add_option("--server", options.server,
                 "Import only the tiles that this server of the wall file sends; the others' checksums are kept, so "
                 "that all servers know that they play the same frames")
      ->option_text("NAME")
      ->needs(out);
  app.add_option("--copies", options.copies,
                 "2: each frame on two of the disks; the server reads it from the other one when a disk fails or is "
                 "late (default: 1)")
      ->check(whole_between(1, copies_max))
      ->needs(out);
  app.add_option(
         "--packets", options.packets,
         "Store frames as the packets that a wall with this MTU and [streaming] packet_layout = \"slots\" sends: the "
         "server then copies no pixel (default: row behind row)")
      ->check(whole_between(mtu_min, mtu_max))
      ->option_text("MTU");
  app.add_flag("--overwrite", options.overwrite, "Replace an existing visualization of this name");
  app.add_flag("--probe", line.probe_only,
               "Import nothing: print the size, length and sound of INPUT, and what the store would need")
      ->each([out](const std::string& /*given*/) { out->required(false); });
  app.add_flag("--verify", line.verify_only, "Read a store and compare every frame with its checksum")
      ->each([wall, out](const std::string& /*given*/) {
        wall->required(false);
        out->required(false);
      });
}

void add_description_options(CLI::App& app, IngestOptions& options) {
  begin_group(app, "Library");
  app.add_option("--name", options.name, "Name of the visualization (default: from INPUT)")
      ->check(check_name)
      ->option_text("NAME");
  app.add_option("--title", options.title, "Title for the operator")->check(up_to(StoreTextLimits::title));
  app.add_option("--description", options.description, "A sentence for the operator")
      ->check(up_to(StoreTextLimits::description));
  app.add_option("--tag", options.tags, "A tag; may be given several times")
      ->expected(1)
      ->take_all()
      ->check(up_to(StoreTextLimits::tag));
}

void add_work_options(CLI::App& app, CommandLine& line) {
  begin_group(app, "Several processes");
  auto* shard = app.add_option("--shard", line.shard,
                               "Import only the Kth of N parts, beside other processes, on this host or others, that "
                               "import the others into the same directories. A shard that was killed is started again")
                    ->option_text("K/N")
                    ->check(check_shard);
  app.add_flag("--join", line.join,
               "When all shards are imported: verify them and make the visualization. Otherwise with the same options")
      ->excludes(shard);
  app.add_option(
         "--threads", line.options.threads,
         "Threads for decoding, and as many for scaling (default: two more than the CPUs that the program may use); "
         "their number does not change the store")
      ->check(whole_between(1, 1024));
}

void add_options(CLI::App& app, CommandLine& line) {
  add_source_options(app, line);
  add_store_options(app, line);
  add_picture_options(app, line);
  add_colour_options(app, line.options.source_tags);
  add_description_options(app, line.options);
  add_work_options(app, line);
  begin_group(app, general_options);
  app.add_flag("--json", line.options.json, "Progress and summary as NDJSON on stdout");
}

Fit fit_of(const std::string& word) {
  static const std::map<std::string, Fit> fits{
      {"fit", Fit::fit}, {"fill", Fit::fill}, {"stretch", Fit::stretch}, {"exact", Fit::exact}};
  return fits.at(word);
}

// One is a frame rate, the other is in bytes.
void take_rates(CommandLine& line) {
  unsigned of_frames = 0;
  unsigned of_bytes = 0;
  for (const auto& rate : line.rates)
    if (is_write_rate(rate)) {
      ++of_bytes;
      line.options.write_rate = parse_write_rate(rate).value();
    } else {
      ++of_frames;
      line.options.rate = rate;
    }
  if (of_frames > 1 || of_bytes > 1)
    throw CLI::ValidationError("--rate", "use at most one frame rate and one write rate");
}

// "a=/ssd1", "/ssd2", "b=/ssd3": a store of server a on two disks, and one of server b. A name with a folder is never a
// server's.
void take_targets(IngestOptions& options) {
  const auto is_named = [](const std::string& text) {
    const auto equals = text.find('=');
    return equals != std::string::npos && equals > 0 && text.find('/') > equals;
  };
  if (std::ranges::none_of(options.out, [&](const auto& out) { return is_named(out.string()); })) return;
  if (!options.server.empty()) throw CLI::ValidationError("--server", "--out already names servers");
  for (const auto& directory : options.out) {
    const auto text = directory.string();
    if (is_named(text))
      options.targets.push_back({text.substr(0, text.find('=')), {text.substr(text.find('=') + 1)}});
    else if (options.targets.empty())
      throw CLI::ValidationError("--out", "put SERVER= before each server's first directory");
    else
      options.targets.back().out.push_back(directory);
  }
}

}  // namespace

int main(int argc, char** argv) {
  report_crashes("wall-ingest");
  CommandLine line;
  CLI::App app(
      "Converts a video, an image sequence, a test source or the store of another wall into a frame store, split for "
      "the tiles of a wall. To continue an interrupted import, run the same command again.");
  add_options(app, line);
  set_examples(
      app, {{"a film", "wall-ingest film.mp4 --wall wall.toml --out /srv/lambdawall"},
            {"images at 25 frames per second, striped over two disks",
             "wall-ingest 'shot-*.png' --rate 25 --wall wall.toml --out /ssd1,/ssd2"},
            {"ten seconds of a test source", "wall-ingest lavfi:testsrc2 --duration 10 --wall wall.toml --out content"},
            {"a store that was made for another wall",
             "wall-ingest --from content/film --wall other.toml --name film-2 --out content"},
            {"check a store", "wall-ingest --verify /srv/lambdawall/film"}});
  app.final_callback([&] {
    take_rates(line);
    take_targets(line.options);
    if (!line.options.from.empty()) line.options.input = line.options.from.front().string();
  });
  if (const auto ended = parse_command_line(app, "wall-ingest", argc, argv)) return *ended;
  catch_signals();
  return guarded("wall-ingest", [&] {
    if (line.verify_only) return run_verify(line.options.input, line.options.json, line.options.write_rate);
    line.options.fit = fit_of(line.fit);
    if (!line.background.empty()) line.options.background = parse_background(line.background).value();
    if (!line.format.empty()) line.options.format = parse_pixel_format(line.format).value();
    if (!line.shard.empty()) line.options.shard = parse_shard(line.shard).value();
    if (line.probe_only) return run_probe(line.options, line.wall_file);
    return run_ingest(line.options, line.wall_file, line.join);
  });
}
