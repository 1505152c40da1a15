#include "ingest/ingest.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "common/store/store_files.h"
#include "ingest/verify.h"
#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;
const std::atomic<bool> never{false};

lw::Wall small_wall() {
  lw::Wall wall;
  wall.set_grid({.columns = 3, .rows = 1, .tile_width = 22, .tile_height = 14, .bezel_x = 3});
  wall.frame_rate = {30, 1};
  return wall;
}

lw::IngestOptions options_of(const std::string& input, const fs::path& out) {
  lw::IngestOptions options;
  options.input = input;
  options.out = {out};
  options.name = "x";
  options.json = true;
  return options;
}

char colour(unsigned x, unsigned y, unsigned channel, unsigned frame) {
  return static_cast<char>(x * 3 + y * 7 + channel * 50 + frame * 11);
}

void write_ppm(const fs::path& file, unsigned width, unsigned height, unsigned frame) {
  std::ofstream out(file, std::ios::binary);
  out << "P6\n" << width << ' ' << height << "\n255\n";
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      for (unsigned c = 0; c < 3; ++c) out.put(colour(x, y, c, frame));
}

}  // namespace

TEST_CASE("images of the wall's size are stored pixel for pixel, without what bezels hide") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 3; ++frame)
    write_ppm(folder.path / "in" / ("f" + std::to_string(frame + 9) + ".ppm"), 72, 14, frame);
  const auto summary = lw::ingest(options_of((folder.path / "in").string(), folder.path), small_wall(), never);
  REQUIRE(summary.has_value());
  CHECK(summary->frames == 3);
  const auto store = lw::load_store(folder.path / "x");
  REQUIRE(store.has_value());
  CHECK(lw::fits(*store, small_wall()).has_value());
  CHECK(store->frame_rate == lw::FrameRate{30, 1});
  CHECK(fs::file_size(folder.path / "x" / store->poster) > 100);
  CHECK(store->thumbnail_count == 3);
  std::ifstream file(folder.path / "x/tile-2-0.npy", std::ios::binary);
  file.seekg(4096 + 4096);  // frame 1
  bool same = true;
  for (unsigned y = 0; y < 14; ++y)
    for (unsigned x = 0; x < 22; ++x)
      for (unsigned c = 0; c < 3; ++c) same = same && static_cast<char>(file.get()) == colour(x + 50, y, c, 1);
  CHECK(same);
  CHECK(lw::verify(folder.path / "x", true, never)->damaged == 0);
}

TEST_CASE("test sources are taken at their own rate, or at another") {
  const StoreFolder folder;
  auto options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1", folder.path);
  CHECK(lw::ingest(options, small_wall(), never)->frames == 20);
  CHECK(lw::load_store(folder.path / "x")->frame_rate == lw::FrameRate{20, 1});
  options.overwrite = true;
  options.rate = "wall";
  CHECK(lw::ingest(options, small_wall(), never)->frames == 30);
  options.duration = 0.5;
  options.format = lw::PixelFormat::ycbcr422_8;
  CHECK(lw::ingest(options, small_wall(), never).has_error());  // the bezel is odd
  auto even = small_wall();
  auto grid = even.grid;
  grid.bezel_x = 4;
  even.set_grid(grid);
  CHECK(lw::ingest(options, even, never)->frames == 15);
  CHECK(lw::load_store(folder.path / "x")->pixel_format == lw::PixelFormat::ycbcr422_8);
}

TEST_CASE("--start skips frames") {
  const StoreFolder folder;
  auto options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1", folder.path);
  options.start = 0.5;
  CHECK(lw::ingest(options, small_wall(), never)->frames == 10);
}

TEST_CASE("a stopped ingest can continue later") {
  const StoreFolder folder;
  const auto options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1", folder.path);
  const std::atomic<bool> at_once{true};
  const auto stopped = lw::ingest(options, small_wall(), at_once);
  REQUIRE(stopped.has_value());
  CHECK(stopped->interrupted);
  CHECK_FALSE(fs::exists(folder.path / "x"));
  CHECK(fs::exists(folder.path / ".x.partial"));
  CHECK(lw::ingest(options, small_wall(), never)->frames == 20);
  CHECK_FALSE(fs::exists(folder.path / ".x.partial"));
}

TEST_CASE("input that cannot be ingested leaves no store, and the error says why") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 3; ++frame)
    write_ppm(folder.path / "in" / ("f" + std::to_string(frame) + ".ppm"), 72, 14, frame);
  std::ofstream(folder.path / "text.mp4") << "not a video";
  fs::create_directory(folder.path / "out");
  const auto refused = [&](const std::string& input, const std::string& reason) {
    const auto result = lw::ingest(options_of(input, folder.path / "out"), small_wall(), never);
    CAPTURE(input);
    REQUIRE(result.has_error());
    CHECK(result.error().what.find(reason) != std::string::npos);
    CHECK(fs::is_empty(folder.path / "out"));
  };
  refused((folder.path / "absent.mov").string(), "absent.mov");
  refused((folder.path / "text.mp4").string(), "text.mp4");
  refused("lavfi:testsrc2=size=72x14", "no end");
  refused("lavfi:nosuchsource=1", "nosuchsource");
  fs::resize_file(folder.path / "in/f1.ppm", 200);
  refused((folder.path / "in").string(), "f1.ppm");
}
