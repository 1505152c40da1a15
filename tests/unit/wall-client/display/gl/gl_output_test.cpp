// The output stage in windows shows what the CPU reference says (display/output/panel_picture.cpp): the same frames go
// to both displays, and what their panels get must agree. Needs a display, as gl_display_test.cpp.
#include "tests/support/law_rounds.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/wall-client/display/frames.h"
#include "tests/unit/wall-client/display/output_files.h"
#include "wall-client/display/display.h"
#include "wall-client/display/output/output_stage.h"

#include <lcms2.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>

using namespace lw;
using namespace lw::test;

namespace {

constexpr TileIndex left{0};
constexpr TileIndex right{1};

struct Panels {
  std::unique_ptr<Display> windows, headless;

  Panels(const Wall& wall, Windows arranged) {
    auto cpu = Display::open_headless(wall, wall.nodes[0]);
    if (!cpu) FAIL(cpu.error().text());
    headless = std::move(*cpu);
    auto opened = Display::open_windows(wall, wall.nodes[0], {false, UploadPath::client, arranged});
    if (opened)
      windows = std::move(*opened);
    else
      WARN("skipped: " << opened.error().text());
  }
  explicit Panels(const Wall& wall) : Panels(wall, Windows::each) {}
  void show(TileIndex tile, const AssembledFrame& frame) const {
    for (auto* display : {windows.get(), headless.get()}) {
      display->upload(tile, frame);
      display->swap(tile);
    }
  }
};

struct Difference {
  double largest = 0;  // in 8-bit code values
  double part = 0;     // of the samples that differ
};
Difference difference(const Picture& a, const Picture& b) {
  REQUIRE((a.width == b.width && a.height == b.height && a.sixteen_bits == b.sixteen_bits));
  Difference found;
  for (unsigned y = 0; y < a.height; ++y)
    for (unsigned x = 0; x < a.width; ++x)
      for (unsigned c = 0; c < 3; ++c) {
        const double here = std::abs(code_at(a, x, y, c) - code_at(b, x, y, c));
        found.largest = std::max(found.largest, here);
        found.part += here > 0 ? 1.0 / (3.0 * a.width * a.height) : 0;
      }
  return found;
}
Difference difference(const Panels& panels, TileIndex tile) {
  return difference(panels.windows->read_output(tile), panels.headless->read_output(tile));
}

// Any settings, by a seed: each key is there or not.
class AnySettings {
public:
  AnySettings(const TemporaryFolder& folder, unsigned seed) : folder_(folder), random_(seed) {}

  TileOutput make(const Tile& tile) {
    TileOutput output;
    if (coin()) output.gain = {even(random_, 0.3, 1.5), even(random_, 0.3, 1.5), 1};
    if (coin()) output.gamma = {even(random_, 0.5, 2.5), even(random_, 0.5, 2.5), even(random_, 0.5, 2.5)};
    if (coin()) output.warp = mesh();
    if (coin()) output.lut = lut();
    if (coin())
      output.blend = {below(tile.place.width), below(tile.place.width), below(tile.place.height),
                      below(tile.place.height)};
    else if (coin())
      output.blend_map = map("blend.png", 65535);
    output.blend_gamma = even(random_, 1.5, 3);
    if (coin())
      output.black_lift = even(random_, 0, 0.2);
    else if (coin())
      output.black_lift_map = map("black.png", 8000);
    return output;
  }

private:
  bool coin() { return random_() % 2 == 0; }
  unsigned below(unsigned side) { return coin() ? one_of(random_, 0, side / 2) : 0; }
  NamedFile file(const std::string& name, const std::string& bytes) const {
    folder_.write(name, bytes);
    return {folder_.path / name, "w.toml:1"};
  }
  // Smooth and rough, with places beside the tile, and none.
  NamedFile mesh() {
    const double turn = even(random_, -0.4, 0.4), rough = coin() ? 0.05 : 0;
    return file("a.pfm", pfm_of(mesh_of(one_of(random_, 2, 30), one_of(random_, 2, 30), [&](double x, double y) {
                  if (random_() % 40 == 0) return WarpMesh::Place{WarpMesh::nothing, WarpMesh::nothing};
                  return WarpMesh::Place{
                      static_cast<float>(x + turn * (y - 0.5)) + even(random_, -rough, rough + 1e-9),
                      static_cast<float>(y - turn * (x - 0.5)) + even(random_, -rough, rough + 1e-9)};
                })));
  }
  NamedFile lut() {
    const auto table = table_by(one_of(random_, 2, 20),
                                [&](const Rgb&) {
                                  return Rgb{even(random_, 0, 1), even(random_, 0, 1), even(random_, -0.2, 1.2)};
                                },
                                {even(random_, -0.3, 0), 0, 0}, {1, even(random_, 0.8, 1.5), 1});
    return file("a.cube", cube_of(table));
  }
  NamedFile map(const std::string& name, unsigned most) {
    GreyMap made{one_of(random_, 1, 80), one_of(random_, 1, 60), {}};
    for (unsigned i = 0; i < made.width * made.height; ++i)
      made.values.push_back(static_cast<std::uint16_t>(coin() ? most : random_() % (most + 1)));
    return file(name, png_of(made));
  }

  const TemporaryFolder& folder_;
  std::mt19937 random_;
};

}  // namespace

// Neighbours in a noisy frame differ by 85 code values in the mean, so that one code value is about a hundredth of a
// pixel: agreement in values is agreement in places.
TEST_CASE("GPU and CPU agree on every output within a code value", "[.][gl]") {
  const auto format = GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_10);
  double differing = 0;
  constexpr unsigned rounds = law_rounds(30);
  const unsigned first = format == PixelFormat::rgb8 ? 0 : rounds;  // not those of the other format
  for (unsigned seed = first; seed < first + rounds; ++seed) {
    const TemporaryFolder folder;
    auto wall = small_wall(64, 48);
    wall.tiles[0].turn = static_cast<Turn>(seed % 4);
    wall.nodes[0].tiles[0].output = AnySettings(folder, seed).make(wall.tiles[0]);
    const Panels panels(wall);
    if (!panels.windows) return;
    panels.show(left, noise_frame(wall, left, format, seed).frame);
    const auto found = difference(panels, left);
    INFO("seed " << seed << ": " << text_of(load_stage(wall, wall.nodes[0].tiles[0]).value()));
    CHECK(found.largest <= 1);
    differing += found.part / rounds;
  }
  CHECK(differing < 0.02);
}

TEST_CASE("panels without settings get the tile's pixels as before, turned or not", "[.][gl]") {
  for (const auto turn : {Turn::none, Turn::quarter, Turn::half, Turn::three_quarters})
    for (const auto format : {PixelFormat::rgb8, PixelFormat::ycbcr422_10}) {
      auto wall = small_wall(64, 48);
      wall.tiles[0].turn = turn;
      const Panels panels(wall);
      if (!panels.windows) return;
      panels.show(left, noise_frame(wall, left, format, 3).frame);
      const auto output = panels.windows->read_output(left);
      const auto picture = panels.windows->read_back(left);
      CHECK(output.pixels == panel_picture(plain_stage(wall.tiles[0], {}), picture).pixels);
      if (turn == Turn::none) CHECK(output.pixels == picture.pixels);
    }
}

TEST_CASE("what changes nothing changes nothing on the GPU: identity mesh, LUT and profile", "[.][gl]") {
  const TemporaryFolder folder;
  auto* srgb = cmsCreate_sRGBProfile();
  REQUIRE(cmsSaveProfileToFile(srgb, (folder.path / "srgb.icc").c_str()) != 0);
  cmsCloseProfile(srgb);
  folder.write("same.cube", cube_of(table_by(33, [](const Rgb& in) { return in; })));
  const auto named = [&](const char* name) { return NamedFile{folder.path / name, "w.toml:1"}; };
  for (const auto& [columns, rows] : {std::pair{2U, 2U}, std::pair{17U, 9U}, std::pair{640U, 400U}}) {
    folder.write("same.pfm", pfm_of(identity_mesh(columns, rows)));
    for (const bool profile : {false, true}) {
      auto wall = small_wall(640, 400);
      auto& output = wall.nodes[0].tiles[0].output;
      output.warp = named("same.pfm");
      (profile ? output.icc : output.lut) = named(profile ? "srgb.icc" : "same.cube");
      const Panels panels(wall);
      if (!panels.windows) return;
      panels.show(left, noise_frame(wall, left, PixelFormat::rgb8, 5).frame);
      INFO(columns << " x " << rows);
      CHECK(panels.windows->read_output(left).pixels == panels.windows->read_back(left).pixels);
      CHECK(panels.headless->read_output(left).pixels == panels.headless->read_back(left).pixels);
    }
  }
}

TEST_CASE("an almost exact table of the GPU does not touch the colours that it keeps", "[.][gl]") {
  const TemporaryFolder folder;
  // The identity but for its brightest blue, so that it is used.
  auto table = table_by(33, [](const Rgb& in) { return in; });
  table.cube.back()[2] = 0.9F;
  folder.write("a.cube", cube_of(table));
  auto wall = small_wall(64, 48);
  wall.nodes[0].tiles[0].output.lut = {folder.path / "a.cube", "w.toml:1"};
  const Panels panels(wall);
  if (!panels.windows) return;
  const auto frame = make_frame(wall, left, PixelFormat::rgb8, [](unsigned row, std::size_t byte) {
    return static_cast<unsigned>((row * 31 + byte * 7) % 240);
  });
  panels.show(left, frame.frame);
  CHECK(panels.windows->read_output(left).pixels == panels.windows->read_back(left).pixels);
}

TEST_CASE("GPU and CPU agree on displays with a profile within a code value", "[.][gl]") {
  constexpr cmsCIExyYTRIPLE wide{{0.68, 0.32, 1}, {0.265, 0.69, 1}, {0.15, 0.06, 1}};
  constexpr cmsCIExyYTRIPLE narrow{{0.62, 0.345, 1}, {0.31, 0.58, 1}, {0.155, 0.08, 1}};
  constexpr cmsCIExyY white{0.3127, 0.3290, 1};
  for (const auto* primaries : {&wide, &narrow}) {
    const TemporaryFolder folder;
    auto* curve = cmsBuildGamma(nullptr, 2.2);
    const std::array<cmsToneCurve*, 3> curves{curve, curve, curve};
    auto* profile = cmsCreateRGBProfile(&white, primaries, curves.data());
    REQUIRE(cmsSaveProfileToFile(profile, (folder.path / "a.icc").c_str()) != 0);
    cmsCloseProfile(profile);
    cmsFreeToneCurve(curve);
    auto wall = small_wall(64, 48);
    wall.nodes[0].tiles[0].output.icc = {folder.path / "a.icc", "w.toml:1"};
    const Panels panels(wall);
    if (!panels.windows) return;
    panels.show(left, noise_frame(wall, left, PixelFormat::rgb8, 6).frame);
    CHECK(difference(panels, left).largest <= 1);
    CHECK(panels.windows->read_output(left).pixels != panels.windows->read_back(left).pixels);
  }
}

TEST_CASE("two projectors of a window add up in light to the single image", "[.][gl]") {
  constexpr unsigned width = 320, height = 64, overlap = 96;
  constexpr double gamma = 2.2;
  auto wall = small_wall(width, height);
  for (auto& placement : wall.nodes[0].tiles) placement.output.blend_gamma = gamma;
  wall.nodes[0].tiles[0].output.blend.right = overlap;
  wall.nodes[0].tiles[1].output.blend.left = overlap;
  const Panels panels(wall);
  if (!panels.windows) return;
  // Greys that change slowly across the wall; by tile, from the column where it begins.
  const auto grey = [](std::size_t column) { return 40 + column * 200 / (2 * width); };
  for (const auto tile : {left, right})
    panels.show(tile, make_frame(wall, tile, PixelFormat::rgb8, [&](unsigned, std::size_t byte) {
                        return static_cast<unsigned>(grey(byte / 3 + (tile == right ? width - overlap : 0)));
                      }).frame);
  const auto first = panels.windows->read_output(left), second = panels.windows->read_output(right);
  const auto light = [](double code) { return std::pow(code / 255, gamma); };
  for (unsigned x = width - overlap; x < width; ++x) {
    double mean = 0;
    for (unsigned y = 0; y < height; ++y)
      mean +=
          255 *
          std::pow(light(code_at(first, x, y, 1)) + light(code_at(second, x - (width - overlap), y, 1)), 1 / gamma) /
          height;
    // Dithered: in the mean over the column.
    CHECK(std::abs(mean - static_cast<double>(grey(x))) < 1);
  }
}

TEST_CASE("10-bit content keeps its mean when it is dithered to 8 bits", "[.][gl]") {
  auto wall = small_wall(256, 64);
  wall.nodes[0].tiles[0].output.gain = {0.999, 0.999, 0.999};
  const Panels panels(wall);
  if (!panels.windows) return;
  // Luma that rises by a step of 10 bits every second pixel, without colour: Cb Y0 Cr Y1 of ten bits in five bytes.
  const auto frame = make_frame(wall, left, PixelFormat::ycbcr422_10, [](unsigned, std::size_t byte) {
    const std::uint64_t luma = 300 + byte / 5;
    const std::uint64_t group = std::uint64_t{512} << 30U | luma << 20U | std::uint64_t{512} << 10U | luma;
    return static_cast<unsigned>(group >> (8 * (4 - byte % 5)) & 255U);
  });
  panels.show(left, frame.frame);
  const auto picture = panels.windows->read_back(left);
  const auto output = panels.windows->read_output(left);
  REQUIRE(picture.sixteen_bits);
  REQUIRE_FALSE(output.sixteen_bits);
  unsigned between = 0;
  for (unsigned from = 0; from < 256; from += 8) {
    double meant = 0, got = 0;
    for (unsigned x = from; x < from + 8; ++x)
      for (unsigned y = 0; y < 64; ++y) {
        const double here = code_at(picture, x, y, 1) * 0.999;
        CHECK(std::abs(code_at(output, x, y, 1) - here) < 1.01);
        meant += here / 512;
        got += code_at(output, x, y, 1) / 512;
      }
    CHECK(got == Approx(meant).margin(0.1));
    between += std::abs(meant - std::round(meant)) > 0.1 ? 1 : 0;
  }
  CHECK(between > 16);  // most of these means are not of 8 bits
}

TEST_CASE("patterns, labels and the waiting card go through the output", "[.][gl]") {
  auto wall = small_wall(320, 200);
  wall.nodes[0].tiles[1].output.gain = {0.5, 0.5, 0.5};
  const auto arranged = GENERATE(Windows::each, Windows::one);
  const Panels panels(wall, arranged);
  if (!panels.windows) return;
  const auto check = [&] {
    for (auto* display : {panels.windows.get(), panels.headless.get()}) {
      display->swap(right);
      if (display->one_window()) display->present();
    }
    CHECK(difference(panels, right).largest <= 1);
    const auto before = panels.windows->read_back(right), after = panels.windows->read_output(right);
    for (unsigned x = 0; x < 320; x += 3)
      CHECK(std::abs(code_at(after, x, 60, 0) - code_at(before, x, 60, 0) / 2) <= 1);
  };
  check();
  for (const auto pattern : {Pattern::identify, Pattern::grid, Pattern::ramp, Pattern::black}) {
    for (auto* display : {panels.windows.get(), panels.headless.get()})
      display->set_overlay(right, {{}, pattern, false});
    check();
  }
}

TEST_CASE("a warped image goes to the window as it is read back", "[.][gl]") {
  const TemporaryFolder folder;
  folder.write("flip.pfm", pfm_of(mesh_of(2, 2, [](double x, double y) {
                 return WarpMesh::Place{static_cast<float>(1 - x), static_cast<float>(y)};
               })));
  auto wall = small_wall(64, 48);
  wall.nodes[0].tiles[0].output.warp = {folder.path / "flip.pfm", "w.toml:1"};
  const Panels panels(wall);
  if (!panels.windows) return;
  panels.show(left, noise_frame(wall, left, PixelFormat::rgb8, 8).frame);
  const auto before = panels.windows->read_back(left), after = panels.windows->read_output(left);
  for (unsigned y = 0; y < 48; ++y)
    for (unsigned x = 0; x < 64; ++x) REQUIRE(code_at(after, x, y, 0) == code_at(before, 63 - x, y, 0));
}
