// wall-samples: computes the sample visualizations and writes them as numbered PPM images, DIR/cosmos-2d and
// DIR/cosmos-3d.
#include "common/base/print.h"
#include "common/base/whole_number.h"
#include "common/command_line/command_line.h"
#include "samples/ppm.h"
#include "samples/scenes.h"
#include "samples/universe.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace lw::cosmos;

struct Options {
  std::filesystem::path out;
  int width = 1296;  // the size of walls/local-2x2.toml
  int height = 816;
  int frames = 80;
  int particles = 80;
  std::string only;
  Threads threads = Threads::of_this_machine();
};

constexpr double short_side = 50;  // of the box, Mpc/h
constexpr int steps = 32;
constexpr double zoom_from = 0.5;  // of the 2D sequence
constexpr double closest_zoom = 3;

void progress(const char* what, int done, int all) {
  if (done % 10 == 0 || done == all)
    lw::print_to(stderr, "\r{}: {} of {} frames   {}", what, done, all, done == all ? "\n" : "");
}

int failed(const lw::Error& error) {
  lw::print_error("wall-samples: {}", error.text());
  return 1;
}

// The entire domain evolves; later the view descends into the densest place in sight. Fades in and out, so that it
// loops without a jolt.
int make_domain(Universe& universe, const Options& options) {
  auto folder = PpmFolder::open(options.out / "cosmos-2d");
  if (!folder) return failed(folder.error());
  LightMap map(options.width, options.height, options.threads);
  Picture picture;
  std::vector<Patch> sheet;
  const Lattice& box = universe.box();
  const View whole{{static_cast<float>(box.nx) / 2, static_cast<float>(box.ny) / 2, 0}, 1, 1};
  std::optional<Vec3> target;
  for (int frame = 0; frame < options.frames; ++frame) {
    const double share = static_cast<double>(frame) / (options.frames - 1);
    make_sheet(universe.at(universe.start() + (1 - universe.start()) * share), options.threads, sheet);
    View view = whole;
    if (share > zoom_from) {
      if (!target) target = brightest(map, whole, box);
      const double way = (share - zoom_from) / (1 - zoom_from);
      const double eased = way * way * (3 - 2 * way);
      view.zoom = std::pow(closest_zoom, eased);
      // So that the target moves evenly across the frame.
      const double moved = (1 - 1 / view.zoom) / (1 - 1 / closest_zoom);
      view.middle = whole.middle + box.shortest(*target - whole.middle) * static_cast<float>(moved);
    }
    view.brightness = std::clamp(std::min((share + 0.02) / 0.1, (1.02 - share) / 0.1), 0.0, 1.0);
    draw_domain(sheet, box, view, map, options.threads, picture);
    if (auto done = folder->write(frame, picture); !done) return failed(done.error());
    progress("cosmos-2d", frame + 1, options.frames);
  }
  return 0;
}

int make_flight(Universe& universe, const Options& options) {
  auto folder = PpmFolder::open(options.out / "cosmos-3d");
  if (!folder) return failed(folder.error());
  const Particles& today = universe.at(1);
  std::vector<Patch> sheet;
  make_sheet(today, options.threads, sheet);
  const auto states = measure(today, sheet, options.threads);
  LightMap map(options.width, options.height, options.threads);
  Picture picture;
  for (int frame = 0; frame < options.frames; ++frame) {
    const double phase = static_cast<double>(frame) / options.frames;
    draw_flight(sheet, states, universe.box(), phase, map, options.threads, picture);
    if (auto done = folder->write(frame, picture); !done) return failed(done.error());
    progress("cosmos-3d", frame + 1, options.frames);
  }
  return 0;
}

int run(const Options& options) {
  InitialConditions start;
  start.lattice = {options.particles * 8 / 5, options.particles, options.particles};
  start.cell = short_side / options.particles;
  Universe universe(start, Cosmology{}, steps, options.threads);
  if (options.only != "3d")
    if (const int status = make_domain(universe, options); status != 0) return status;
  return options.only == "2d" ? 0 : make_flight(universe, options);
}

std::string parse_size(const std::string& text, Options& options) {
  const auto by = std::min(text.find('x'), text.size());
  const auto side = [](const std::string& digits) {
    const auto pixels = lw::whole_number<int>(digits);
    return pixels && *pixels >= 64 && *pixels <= 16384 ? *pixels : 0;
  };
  options.width = side(text.substr(0, by));
  options.height = by < text.size() ? side(text.substr(by + 1)) : 0;
  return options.width > 0 && options.height > 0
             ? ""
             : "'" + text + "' is not a size; write WIDTHxHEIGHT, each from 64 to 16384";
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::string size;
  CLI::App app(
      "Computes and draws a small universe: cosmos-2d, the entire domain as it evolves, and cosmos-3d, a flight "
      "through it.");
  app.add_option("--out", options.out, "Directory for the folders cosmos-2d and cosmos-3d")
      ->option_text("DIR")
      ->required();
  app.add_option("--size", size, "Size of the images, like 1296x816 (the default)")
      ->option_text("WIDTHxHEIGHT")
      ->check([&](const std::string& text) { return parse_size(text, options); });
  app.add_option("--frames", options.frames, "Number of frames of each visualization")
      ->check(lw::whole_between(2, 99'999))
      ->capture_default_str();
  app.add_option("--particles", options.particles,
                 "Particles along the short sides of the box, a multiple of 20; the long side has 8/5 as many")
      ->check(lw::whole_between(20, 400))
      ->check([](const std::string& text) {
        return lw::whole_number<int>(text).value_or(1) % 20 == 0
                   ? ""
                   : "'" + text + "' is not valid; write a multiple of 20";
      })
      ->capture_default_str();
  app.add_option("--only", options.only, "Draw one of the two")->check(lw::one_of({"2d", "3d"}));
  app.add_option("--threads", options.threads.count, "Number of threads; it does not change the images")
      ->check(lw::whole_between(1, 64))
      ->capture_default_str();
  lw::set_examples(app, {{"draw both", "wall-samples --out samples"},
                         {"a quick look", "wall-samples --out samples --only 2d --frames 10"}});
  if (const auto ended = lw::parse_command_line(app, "wall-samples", argc, argv)) return *ended;
  return run(options);
}
