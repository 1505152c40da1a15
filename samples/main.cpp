// wall-samples: computes the sample visualizations and writes them as numbered PPM pictures, DIR/cosmos-2d and
// DIR/cosmos-3d.
#include "samples/scenes.h"
#include "samples/simulation.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace {

using namespace lw::cosmos;

struct Options {
  std::filesystem::path out;
  int width = 1296;  // the picture of walls/local-2x2.toml
  int height = 816;
  int frames = 90;
  int particles_per_side = 80;
  std::string only;
};

bool write_ppm(const std::filesystem::path& file, const Pixels& pixels, const Options& options) {
  std::ofstream out(file, std::ios::binary);
  out << "P6\n" << options.width << " " << options.height << "\n255\n";
  out.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
  out.close();
  if (!out)
    std::fprintf(stderr, "wall-samples: cannot write %s; free some space or give another --out\n", file.c_str());
  return static_cast<bool>(out);
}

void progress(const char* what, int done, int all) {
  if (done % 10 == 0 || done == all)
    std::fprintf(stderr, "\r%s: %d of %d frames   %s", what, done, all, done == all ? "\n" : "");
}

// Evenly in the square root of the scale factor: about evenly in what the eye sees change.
double moment(int frame, int frames, double a_start) {
  const double share = frames > 1 ? static_cast<double>(frame) / (frames - 1) : 1;
  return std::pow(std::sqrt(a_start) + (1 - std::sqrt(a_start)) * share, 2);
}

int run(const Options& options) {
  SimulationOptions settings;
  settings.particles_per_side = options.particles_per_side;
  Simulation simulation(settings);
  const bool domain = options.only != "3d";
  const bool flight = options.only != "2d";
  std::error_code error;
  if (domain) std::filesystem::create_directories(options.out / "cosmos-2d", error);
  if (flight) std::filesystem::create_directories(options.out / "cosmos-3d", error);
  if (error) {
    std::fprintf(stderr, "wall-samples: cannot write into %s: %s; give another --out\n", options.out.c_str(),
                 error.message().c_str());
    return 1;
  }
  constexpr int steps = 28;
  double next = moment(1, steps + 1, settings.a_start);
  int step = 0;
  for (int frame = 0; frame < options.frames; ++frame) {
    const double a = moment(frame, options.frames, settings.a_start);
    while (step < steps && a > next - 1e-9) {
      simulation.step_to(next);
      next = moment(++step + 1, steps + 1, settings.a_start);
    }
    if (!domain) continue;
    const double drift =
        2 / std::sqrt(simulation.scale_factor()) - 2 / std::sqrt(std::max(a, simulation.scale_factor()));
    // Fades in and out, so that it loops without a jolt.
    const double edge = std::min({1.0, (frame + 1) / 12.0, (options.frames - frame) / 12.0});
    const auto pixels = draw_domain(sheet(simulation, options.particles_per_side, drift), options.width, options.height,
                                    edge, static_cast<double>(frame) / options.frames);
    if (!write_ppm(options.out / "cosmos-2d" / fmt::format("{:05}.ppm", frame), pixels, options)) return 1;
    progress("cosmos-2d", frame + 1, options.frames);
  }
  if (!flight) return 0;
  const auto points = sheet(simulation, options.particles_per_side, 0);
  for (int frame = 0; frame < options.frames; ++frame) {
    const auto pixels = draw_flight(points, options.width, options.height, static_cast<double>(frame) / options.frames);
    if (!write_ppm(options.out / "cosmos-3d" / fmt::format("{:05}.ppm", frame), pixels, options)) return 1;
    progress("cosmos-3d", frame + 1, options.frames);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::string size;
  CLI::App app(
      "Computes a small universe and draws it: cosmos-2d, the whole domain as it evolves, and cosmos-3d, a flight "
      "through it.");
  app.set_version_flag("--version", std::string("wall-samples ") + LW_VERSION);
  app.add_option("--out", options.out, "Where to write the folders cosmos-2d and cosmos-3d")->required();
  app.add_option("--size", size, "Of the pictures, like 1296x816")->check([&](const std::string& text) {
    return std::sscanf(text.c_str(), "%dx%d", &options.width, &options.height) == 2 && options.width >= 64 &&
                   options.height >= 64 && options.width <= 16384 && options.height <= 16384
               ? std::string()
               : std::string("a size is WIDTHxHEIGHT, each from 64 to 16384");
  });
  app.add_option("--frames", options.frames, "Frames of each")->check(CLI::Range(2, 100'000));
  app.add_option("--particles", options.particles_per_side, "Particles along a side of the cube")
      ->check(CLI::Range(16, 512));
  app.add_option("--only", options.only, "2d or 3d")->check(CLI::IsMember({"2d", "3d"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& parse_error) {
    return app.exit(parse_error) == 0 ? 0 : 2;
  }
  return run(options);
}
