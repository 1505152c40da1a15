// Windows show what the CPU reference says: the same calls go to both displays, and what they show must agree. Needs a
// display, so it is run by name: unit.wall-client.gl runs it under xvfb-run. To run only this: wall-client_tests
// "[gl]".
#include "tests/unit/wall-client/display/frames.h"

#include "wall-client/display/display.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <thread>

using namespace lw;
using namespace lw::test;

namespace {

struct Both {
  Wall wall;
  std::unique_ptr<Display> windows;
  std::unique_ptr<Display> headless;

  std::size_t slot_bytes = 0;  // windows get their frames in packet slots

  explicit Both(Wall of, UploadPath path = UploadPath::automatic, Windows arranged = Windows::automatic)
      : wall(std::move(of)), headless(Display::open_headless(wall, wall.nodes[0]).value()) {
    auto opened = Display::open_windows(wall, wall.nodes[0], {false, path, arranged});
    if (opened)
      windows = std::move(*opened);
    else
      WARN("skipped: " << opened.error().text());
  }
  void upload(TileIndex tile, const AssembledFrame& frame) {
    windows->upload(tile, received(tile, frame));
    headless->upload(tile, frame);
  }
  void swap(TileIndex tile) const {
    windows->swap(tile);
    headless->swap(tile);
  }
  void set_brightness(TileIndex tile, double brightness) const {
    windows->set_brightness(tile, brightness);
    headless->set_brightness(tile, brightness);
  }
  void set_overlay(TileIndex tile, const TileOverlay& overlay) const {
    windows->set_overlay(tile, overlay);
    headless->set_overlay(tile, overlay);
  }

private:
  static constexpr std::size_t buffers = 3;
  struct Tile {
    std::map<unsigned, Pages> flows;
    std::map<unsigned, std::vector<std::byte>> own;  // without memory of the windows
    std::deque<PacketSlots> slots;
    std::size_t uploads = 0;
  };
  std::map<TileIndex, Tile> tiles;

  // The band's pixels in slots, between headers that nobody may show.
  BandPixels in_slots(Tile& tile, const ReceivedBand& band, unsigned width, std::byte* place) const {
    const auto& slots = tile.slots.emplace_back(PacketSlots::of(band.format, width, band.rows, slot_bytes).value());
    if (place == nullptr) {
      auto& own = tile.own[band.flow];
      own.resize(slots.memory_bytes());
      place = own.data();
    }
    std::fill_n(place, slots.memory_bytes(), std::byte{0xee});
    slots.for_each_piece(0, slots.frame_bytes(), [&](std::size_t offset, std::size_t at, std::size_t bytes) {
      std::memcpy(place + at, band.pixels.at(offset), bytes);
    });
    return {place, &slots};
  }

  // The frame in band buffers that the windows provide, as a flow would receive it there; as it is without such.
  AssembledFrame received(TileIndex index, const AssembledFrame& frame) {
    auto& tile = tiles[index];
    while (windows->unread(index) >= buffers) std::this_thread::yield();
    const std::size_t buffer = tile.uploads++ % buffers;
    AssembledFrame moved = frame;
    const auto& place_of_tile = wall.tile(index).place;
    // Slots have at most as much beside their pixels as these, and a band at least a block of them.
    const auto stride = frame_bytes_max(place_of_tile.width, place_of_tile.height) * (slot_bytes > 0 ? 8 : 1) + 65536;
    for (auto& band : moved.bands) {
      auto known = tile.flows.find(band.flow);
      if (known == tile.flows.end())
        known = tile.flows.emplace(band.flow, windows->band_memory(index, stride * buffers, -1)).first;
      auto* place = known->second.data() == nullptr ? nullptr : known->second.data() + buffer * stride;
      if (slot_bytes > 0) {
        band.pixels = in_slots(tile, band, place_of_tile.width, place);
        continue;
      }
      if (place == nullptr) continue;
      std::memcpy(place, band.pixels.at(0), row_bytes(band.format, place_of_tile.width) * band.rows);
      band.pixels = place;
    }
    return moved;
  }
};

auto every_path() { return GENERATE(UploadPath::mapped, UploadPath::client, UploadPath::pinned, UploadPath::driver); }

// Largest difference of any sample.
int difference(const Picture& a, const Picture& b) {
  REQUIRE(a.sixteen_bits == b.sixteen_bits);
  REQUIRE(a.pixels.size() == b.pixels.size());
  REQUIRE((a.width == b.width && a.height == b.height));
  const std::size_t size = a.sixteen_bits ? 2 : 1;
  int largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); i += size) {
    std::uint16_t first = 0, second = 0;  // little-endian hosts: the low byte comes first
    std::memcpy(&first, a.pixels.data() + i, size);
    std::memcpy(&second, b.pixels.data() + i, size);
    largest = std::max(largest, std::abs(first - second));
  }
  return largest;
}

int difference(const Both& both, TileIndex tile) {
  return difference(both.windows->read_back(tile), both.headless->read_back(tile));
}

constexpr TileIndex left{0};
constexpr TileIndex right{1};

struct Case {
  PixelFormat format;
  int tolerance;
};

}  // namespace

TEST_CASE("GL and CPU agree on every format, width and upload path", "[.][gl]") {
  const auto path = every_path();
  const auto width = GENERATE(64U, 162U, 166U);  // rows of whole texels, and not
  Both both(small_wall(width, 50, 3), path);
  if (!both.windows) return;
  // Rounding of the matrix: 1 of 255; of 65535 a few, as shaders compute with 24 bits. Of BC1's colours: 1 of 255.
  for (const auto& [format, tolerance] :
       {Case{PixelFormat::rgb8, 0}, Case{PixelFormat::ycbcr422_8, 1}, Case{PixelFormat::ycbcr422_10, 4},
        Case{PixelFormat::bc7, 0}, Case{PixelFormat::bc1, 1}, Case{PixelFormat::rgb10, 1},
        Case{PixelFormat::rgb8, 0}}) {
    if (!has_groups(format, width)) continue;
    for (unsigned seed = 0; seed < 5; ++seed) {  // more frames than the upload buffer has slices
      for (const auto tile : {left, right}) {
        const auto noise = noise_frame(both.wall, tile, format, seed * 2 + tile.value);
        both.upload(tile, noise.frame);
        both.swap(tile);
        INFO("format " << info(format).name << " width " << width);
        CHECK(difference(both, tile) <= tolerance);
      }
    }
  }
}

// Sizes at which texels and rows begin and end within packets in every way; 1408 and 8960 are those of real paths.
TEST_CASE("GL skips the headers of packets in slots, on every upload path", "[.][gl]") {
  const auto path = every_path();
  const auto width = GENERATE(64U, 162U, 166U);
  Both both(small_wall(width, 50, 3), path);
  if (!both.windows) return;
  both.slot_bytes = GENERATE(std::size_t{128}, std::size_t{192}, std::size_t{1408}, std::size_t{8960});
  for (const auto& [format, tolerance] :
       {Case{PixelFormat::rgb8, 0}, Case{PixelFormat::ycbcr422_8, 1}, Case{PixelFormat::ycbcr422_10, 4},
        Case{PixelFormat::bc7, 0}, Case{PixelFormat::rgb10, 1}}) {
    if (!has_groups(format, width)) continue;
    for (unsigned seed = 0; seed < 5; ++seed) {
      auto noise = noise_frame(both.wall, left, format, seed);
      if (seed > 2) noise.lose_row(seed % 3, seed);
      if (seed == 4) noise.lose_band(2);
      both.upload(left, noise.frame);
      both.swap(left);
      INFO("format " << info(format).name << " width " << width << " slots " << both.slot_bytes);
      CHECK(difference(both, left) <= tolerance);
    }
  }
}

TEST_CASE("GL darkens as the CPU does, and leaves labels unchanged", "[.][gl]") {
  const auto format = GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_10);
  const auto identify = GENERATE(false, true);
  Both both(small_wall(64, 48), UploadPath::client);
  if (!both.windows) return;
  both.set_overlay(left, {{}, Pattern::none, identify, false});
  const auto noise = noise_frame(both.wall, left, format, 3);
  both.upload(left, noise.frame);
  for (const double brightness : {0.5, 0.123, 0.0, 1.0}) {
    both.set_brightness(left, brightness);
    both.swap(left);
    CHECK(difference(both, left) <= (format == PixelFormat::ycbcr422_10 ? 260 : 1));
  }
}

TEST_CASE("GL keeps missing rows from the frame before, as the CPU does", "[.][gl]") {
  const auto path = every_path();
  const auto format = GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_8, PixelFormat::ycbcr422_10, PixelFormat::bc7,
                               PixelFormat::bc1, PixelFormat::rgb10);
  Both both(small_wall(64, 48), path);
  if (!both.windows) return;
  const auto rows_of_band = group_rows(format, 24);
  for (unsigned seed = 0; seed < 6; ++seed) {
    auto frame = noise_frame(both.wall, left, format, seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 10; ++i)
      frame.lose_row(static_cast<unsigned>(random() % 2), static_cast<unsigned>(random() % rows_of_band));
    if (seed % 3 == 0) frame.lose_band(seed % 2);
    both.upload(left, frame.frame);
    both.swap(left);
    CHECK(difference(both, left) <= (format == PixelFormat::ycbcr422_10 ? 4 : 1));
  }
}

TEST_CASE("the GPU reads band buffers where they are, and says when it has", "[.][gl]") {
  const auto path = GENERATE(UploadPath::pinned, UploadPath::driver);
  const Both both(small_wall(64, 48, 1), path);
  if (!both.windows) return;
  auto noise = noise_frame(both.wall, left, PixelFormat::rgb8, 1);
  auto& pixels = noise.pixels[0];
  const auto memory = both.windows->band_memory(left, pixels.size(), -1);
  if (memory.data() == nullptr) {
    WARN("skipped: this driver does not read band buffers");
    return;
  }
  REQUIRE(memory.bytes() >= pixels.size());
  std::ranges::copy(pixels, memory.data());
  auto in_place = noise.frame;
  in_place.bands[0].pixels = memory.data();
  both.headless->upload(left, noise.frame);
  both.windows->upload(left, in_place);
  CHECK(both.windows->unread(left) <= 1);
  both.swap(left);
  for (int turn = 0; turn < 1000 && both.windows->unread(left) > 0; ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  REQUIRE(both.windows->unread(left) == 0);
  std::fill_n(memory.data(), pixels.size(), std::byte{200});  // the next band
  CHECK(difference(both, left) == 0);
  both.windows->upload(left, in_place);
  std::ranges::fill(pixels, std::byte{200});
  both.headless->upload(left, noise.frame);
  both.swap(left);
  CHECK(difference(both, left) == 0);
}

TEST_CASE("one window shows all tiles, each with its own frame and marks", "[.][gl]") {
  const auto path = every_path();
  Both both(small_wall(320, 200), path, Windows::one);
  if (!both.windows) return;
  REQUIRE(both.windows->one_window());
  for (unsigned seed = 0; seed < 3; ++seed) {
    for (const auto tile : {left, right}) {
      both.upload(tile, noise_frame(both.wall, tile, PixelFormat::rgb8, seed * 2 + tile.value).frame);
      both.swap(tile);
    }
    both.windows->present();
    for (const auto tile : {left, right}) CHECK(difference(both, tile) == 0);
  }
  const auto before = both.windows->read_back(right);
  both.upload(left, noise_frame(both.wall, left, PixelFormat::rgb8, 9).frame);
  both.swap(left);
  both.windows->upload(right, noise_frame(both.wall, right, PixelFormat::rgb8, 10).frame);  // ahead of its time
  both.windows->present();
  CHECK(difference(both, left) == 0);
  CHECK(difference(both.windows->read_back(right), before) == 0);
}

TEST_CASE("a frame uploaded ahead is not shown before its swap", "[.][gl]") {
  Both both(small_wall());
  if (!both.windows) return;
  both.upload(left, noise_frame(both.wall, left, PixelFormat::rgb8, 1).frame);
  both.swap(left);
  const auto before = both.windows->read_back(left);
  both.windows->upload(left, noise_frame(both.wall, left, PixelFormat::rgb8, 2).frame);
  both.windows->redraw(left);
  CHECK(difference(both.windows->read_back(left), before) == 0);
  both.windows->swap(left);
  CHECK(difference(both.windows->read_back(left), before) > 0);
}

TEST_CASE("cards, patterns and labels are the same in windows", "[.][gl]") {
  Both both(small_wall(320, 200));
  if (!both.windows) return;
  both.swap(right);
  CHECK(difference(both, right) == 0);  // waiting
  for (const auto pattern : {Pattern::identify, Pattern::grid, Pattern::ramp, Pattern::black}) {
    both.set_overlay(right, {{}, pattern, false});
    both.swap(right);
    CHECK(difference(both, right) == 0);
  }
  const auto format = GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_10);
  both.set_overlay(right, {{}, Pattern::none, true});
  both.upload(right, noise_frame(both.wall, right, format, 3).frame);
  both.swap(right);
  CHECK(difference(both, right) <= (format == PixelFormat::rgb8 ? 1 : 5));
  both.set_overlay(right, {{}, Pattern::none, false});
  both.swap(right);
  CHECK(difference(both, right) <= (format == PixelFormat::rgb8 ? 0 : 4));
}

TEST_CASE("marks of concealed rows are the same in windows", "[.][gl]") {
  Both both(small_wall(320, 200));
  if (!both.windows) return;
  const auto format = GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_10, PixelFormat::bc7);
  both.set_overlay(right, {{}, Pattern::none, false, true});
  both.upload(right, noise_frame(both.wall, right, format, 3).frame);
  both.swap(right);
  auto gaps = noise_frame(both.wall, right, format, 4);
  gaps.lose_row(0, 5);
  gaps.lose_row(0, 6);
  gaps.lose_band(1);
  both.upload(right, gaps.frame);
  both.swap(right);
  CHECK(difference(both, right) <= (format == PixelFormat::ycbcr422_10 ? 4 : 0));
  const auto marked = both.windows->read_back(right);
  both.set_overlay(right, {{}, Pattern::none, false, false});
  both.windows->redraw(right);
  CHECK(difference(both, right) <= (format == PixelFormat::ycbcr422_10 ? 4 : 0));
  CHECK(difference(both.windows->read_back(right), marked) > 0);
}

TEST_CASE("previews from the windows arrive a little later, with the same pixels", "[.][gl]") {
  Both both(small_wall(320, 200));
  if (!both.windows) return;
  const auto preview = [](Display& display, TileIndex tile) {
    SmallPicture small(320, 200);
    display.begin_preview(tile);
    for (int turn = 0; turn < 1000 && !display.take_preview(tile, small); ++turn)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return small.rgb;
  };
  const auto largest = [&] {
    const auto windows = preview(*both.windows, left);
    const auto headless = preview(*both.headless, left);
    int difference = 0;
    for (std::size_t i = 0; i < windows.size(); ++i)
      difference = std::max(difference, std::abs(int{windows[i]} - int{headless[i]}));
    return difference;
  };
  for (const auto format : {PixelFormat::rgb8, PixelFormat::ycbcr422_8}) {
    const auto smooth = make_frame(both.wall, left, format, [](unsigned row, std::size_t) { return 60 + row / 2; });
    both.upload(left, smooth.frame);
    both.swap(left);
    CHECK(largest() <= 4);
  }
  SmallPicture none(320, 200);
  CHECK_FALSE(both.windows->take_preview(right, none));  // none was begun
  // It does not affect what a dump reads.
  both.windows->begin_preview(left);
  CHECK(difference(both, left) <= 4);
}

TEST_CASE("the bar moves in windows", "[.][gl]") {
  Both both(small_wall(320, 200));
  if (!both.windows) return;
  both.windows->set_overlay(left, {{}, Pattern::bar, false});
  const auto first_time = both.windows->swap(left);
  const auto first = both.windows->read_back(left);
  while (WallClock::now() < first_time + std::chrono::milliseconds(20)) both.windows->redraw(left);
  CHECK(difference(both.windows->read_back(left), first) > 0);
}

TEST_CASE("a display is reported by name and closes", "[.][gl]") {
  Both both(small_wall());
  if (!both.windows) return;
  CHECK_FALSE(both.windows->renderer().empty());
  CHECK(both.windows->poll_events());
}

TEST_CASE("a missing monitor is an error", "[.][gl]") {
  auto wall = small_wall();
  wall.nodes[0].tiles[0].monitor = 99;
  const auto opened = Display::open_windows(wall, wall.nodes[0], {});
  REQUIRE_FALSE(opened.has_value());
  if (opened.error().what.find("no display") != std::string::npos) {
    WARN("skipped: " << opened.error().text());
    return;
  }
  CHECK(opened.error().what.find("monitor 99") != std::string::npos);
}
