// Video files of kinds that productions deliver, written by FFmpeg's own encoders.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>

#include "common/store/store_files.h"
#include "ingest/ingest.h"
#include "tests/support/store_folder.h"
#include "tests/unit/ingest/clip_writer.h"
#include "tests/unit/ingest/frames.h"

namespace {

namespace fs = std::filesystem;
const std::atomic<bool> no_stop{false};
constexpr int width = 64;
constexpr int height = 32;

lw::Wall clip_wall() {
  lw::Wall wall;
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = width, .tile_height = height});
  wall.frame_rate = {30, 1};
  return wall;
}

lw::IngestOptions clip_options(const fs::path& file, const fs::path& out) {
  lw::IngestOptions options;
  options.input = file.string();
  options.out = {out};
  options.name = "x";
  options.json = true;
  options.overwrite = true;
  return options;
}

// Red, green and blue of a store's pixel.
std::array<int, 3> pixel_of(const fs::path& store, unsigned frame, int x, int y) {
  std::ifstream file(store / "tile-0-0.npy", std::ios::binary);
  file.seekg(4096 + static_cast<std::streamoff>(frame) * 8192 + (y * width + x) * 3);  // 6144 bytes, padded
  return {file.get(), file.get(), file.get()};
}

// Grey by number; ProRes and HAP lose a little.
int grey_of(std::size_t frame) { return 16 + static_cast<int>(frame * 23 % 220); }

}  // namespace

TEST_CASE("ProRes and HAP files are imported") {
  const StoreFolder folder;
  struct Kind {
    const char* file;
    ClipFormat format;
  };
  const auto kind = GENERATE(Kind{"prores.mov", {"prores_ks", AV_PIX_FMT_YUV422P10LE, width, height, {1, 25}}},
                             Kind{"hap.mov", {"hap", AV_PIX_FMT_RGBA, width, height, {1, 25}}});
  const auto file = folder.path / kind.file;
  CAPTURE(file);
  write_clip(file, kind.format, {0, 1, 2, 3, 4}, 5, [](AVFrame& frame, std::size_t i) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        if (frame.format == AV_PIX_FMT_RGBA) {
          for (int c = 0; c < 3; ++c)
            sample<std::uint8_t>(frame, 0, x * 4 + c, y) = static_cast<std::uint8_t>(grey_of(i));
          sample<std::uint8_t>(frame, 0, x * 4 + 3, y) = 255;
        } else {
          sample<std::uint16_t>(frame, 0, x, y) =
              static_cast<std::uint16_t>(std::lround(64 + grey_of(i) / 255.0 * 876));
          for (int plane = 1; plane < 3; ++plane) sample<std::uint16_t>(frame, plane, x / 2, y) = 512;
        }
      }
  });
  REQUIRE(lw::ingest(clip_options(file, folder.path), clip_wall(), no_stop)->frames == 5);
  CHECK(lw::load_store(folder.path / "x")->frame_rate == lw::FrameRate{25, 1});
  for (unsigned frame = 0; frame < 5; ++frame)
    for (const auto value : pixel_of(folder.path / "x", frame, 40, 11)) CHECK(std::abs(value - grey_of(frame)) <= 6);
}

TEST_CASE("ProRes 4444 is imported over the background") {
  const StoreFolder folder;
  const auto file = folder.path / "over.mov";
  write_clip(file, {"prores_ks", AV_PIX_FMT_YUVA444P10LE, width, height, {1, 25}}, {0}, 1,
             [](AVFrame& frame, std::size_t) {
               for (int y = 0; y < height; ++y)
                 for (int x = 0; x < width; ++x) {
                   sample<std::uint16_t>(frame, 0, x, y) = 940;
                   for (int plane = 1; plane < 3; ++plane) sample<std::uint16_t>(frame, plane, x, y) = 512;
                   sample<std::uint16_t>(frame, 3, x, y) = x < width / 2 ? 1023 : 0;
                 }
             });
  auto options = clip_options(file, folder.path);
  options.background = {0, 0, 255};
  REQUIRE(lw::ingest(options, clip_wall(), no_stop).has_value());
  const auto close = [](const std::array<int, 3>& one, const std::array<int, 3>& other) {
    for (std::size_t c = 0; c < 3; ++c)
      if (std::abs(one[c] - other[c]) > 6) return false;
    return true;
  };
  CHECK(close(pixel_of(folder.path / "x", 0, 10, 10), {255, 255, 255}));
  CHECK(close(pixel_of(folder.path / "x", 0, 50, 10), {0, 0, 255}));
}

TEST_CASE("a video of a variable rate is shown by its frames' times") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const StoreFolder folder;
    const bool mov = seed % 2 == 1;
    const auto file = folder.path / (mov ? "clip.mov" : "clip.mkv");
    // Milliseconds: bursts of quick frames, and frames that stay for long.
    std::vector<std::int64_t> times{0};
    while (times.size() < 12)
      times.push_back(times.back() + (random() % 3 == 0 ? 200 + random() % 400 : 11 + random() % 60));
    const auto end = times.back() + (mov ? 300 : 40);  // Matroska does not say how long the last frame lasts
    write_clip(file, {"ffv1", AV_PIX_FMT_BGR0, width, height}, times, end, [](AVFrame& frame, std::size_t i) {
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width * 4; ++x)
          sample<std::uint8_t>(frame, 0, x, y) = static_cast<std::uint8_t>(grey_of(i));
    });
    auto options = clip_options(file, folder.path);
    options.rate = mov && seed % 3 != 0 ? "keep" : "25";  // Matroska has no index of all frames
    const auto made = lw::ingest(options, clip_wall(), no_stop);
    REQUIRE(made.has_value());
    const auto store = lw::load_store(folder.path / "x");
    const double rate = options.rate == "25" ? 25 : 30;
    CHECK(store->frame_rate.hertz() == rate);  // of the wall: the video has none
    CHECK(std::abs(static_cast<double>(made->frames) - static_cast<double>(end) / 1000 * rate) <= 2);
    REQUIRE(made->expected.has_value());
    CHECK(std::abs(static_cast<int>(*made->expected) - static_cast<int>(made->frames)) <= 2);
    for (unsigned frame = 0; frame < made->frames; ++frame) {
      // A source's frame is shown from the store's frame nearest to its time on.
      std::size_t shown = 0;
      for (std::size_t i = 0; i < times.size(); ++i)
        if (std::lround(static_cast<double>(times[i]) / 1000 * rate) <= static_cast<long>(frame)) shown = i;
      CAPTURE(frame);
      CHECK(pixel_of(folder.path / "x", frame, 3, 3)[0] == grey_of(shown));
    }
  }
}
