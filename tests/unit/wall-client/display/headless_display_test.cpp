// What a tile shows when rows are missing, and what is drawn over it: headless, so that it runs anywhere.
// gl_display_test.cpp expects the same pixels of windows.
#include "tests/unit/wall-client/display/frames.h"

#include "wall-client/display/cards/card_painter.h"
#include "wall-client/display/display.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace lw;
using namespace lw::test;

namespace {

constexpr TileIndex tile{0};

unsigned red_of_row(const Picture& picture, unsigned row) {
  return std::to_integer<unsigned>(picture.pixels[std::size_t{row} * picture.width * 3]);
}

TestFrame flat(const Wall& wall, unsigned value) {
  return make_frame(wall, tile, PixelFormat::rgb8, [value](unsigned, std::size_t) { return value; });
}

}  // namespace

TEST_CASE("missing rows keep the content of the frame before") {
  const auto wall = small_wall();
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  const auto before = flat(wall, 10);
  display->upload(tile, before.frame);
  auto after = flat(wall, 200);
  after.lose_row(0, 0);
  after.lose_row(0, 7);
  after.lose_row(1, 23);  // the tile's last row
  display->upload(tile, after.frame);
  display->swap(tile);
  const auto picture = display->read_back(tile);
  for (unsigned row = 0; row < wall.grid.tile_height; ++row)
    CHECK(red_of_row(picture, row) == (row == 0 || row == 7 || row == 47 ? 10U : 200U));
}

TEST_CASE("missing rows are marked at both edges on request, until complete ones are shown") {
  const auto wall = small_wall();
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  display->set_overlay(tile, {{}, Pattern::none, false, true});
  const auto before = flat(wall, 10);
  display->upload(tile, before.frame);
  display->swap(tile);
  for (unsigned row = 0; row < wall.grid.tile_height; ++row) CHECK(red_of_row(display->read_back(tile), row) == 10);
  auto after = flat(wall, 200);
  after.lose_row(0, 7);
  after.lose_band(1);  // rows 24 to 47
  display->upload(tile, after.frame);
  for (unsigned row = 0; row < wall.grid.tile_height; ++row) CHECK(red_of_row(display->read_back(tile), row) != 230);
  display->swap(tile);
  const auto picture = display->read_back(tile);
  const auto red = [&](unsigned row, unsigned column) {
    return std::to_integer<unsigned>(picture.pixels[(std::size_t{row} * picture.width + column) * 3]);
  };
  for (unsigned row = 0; row < wall.grid.tile_height; ++row) {
    const bool concealed = row == 7 || row >= 24;
    CHECK(red(row, 0) == (concealed ? 230U : 200U));
    CHECK(red(row, 4) == (concealed ? 0U : 200U));
    CHECK(red(row, wall.grid.tile_width - 1) == (concealed ? 230U : 200U));
    CHECK(red(row, 10) == (concealed ? 10U : 200U));
  }
  display->upload(tile, before.frame);
  display->swap(tile);
  for (unsigned row = 0; row < wall.grid.tile_height; ++row) CHECK(red_of_row(display->read_back(tile), row) == 10);
}

TEST_CASE("a darkened frame has its code values times the brightness; labels are unchanged") {
  const auto wall = small_wall();
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  const auto frame = flat(wall, 201);
  display->upload(tile, frame.frame);
  display->set_brightness(tile, 0.25);
  display->swap(tile);
  CHECK(red_of_row(display->read_back(tile), 5) == 50);
  SmallPicture small(wall.grid.tile_width, wall.grid.tile_height);
  REQUIRE(display->take_preview(tile, small));
  CHECK(std::ranges::all_of(small.rgb, [](auto value) { return value == 50; }));
  display->set_brightness(tile, 0);
  display->redraw(tile);
  CHECK(red_of_row(display->read_back(tile), 5) == 0);
  display->set_overlay(tile, {{}, Pattern::grid, false, false});
  const auto grid = display->read_back(tile);
  CHECK(std::ranges::any_of(grid.pixels, [](auto value) { return value != std::byte{0}; }));
  display->set_overlay(tile, {{}, Pattern::none, false, false});
  display->set_brightness(tile, 1);
  display->redraw(tile);
  CHECK(red_of_row(display->read_back(tile), 5) == 201);
}

TEST_CASE("a missing band keeps the frame before; without one it is black") {
  const auto wall = small_wall();
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  auto first = flat(wall, 90);
  first.lose_band(1);
  display->upload(tile, first.frame);
  display->swap(tile);
  auto picture = display->read_back(tile);
  CHECK(red_of_row(picture, 23) == 90);
  CHECK(red_of_row(picture, 24) == 0);
  auto second = flat(wall, 91);
  second.lose_band(0);
  display->upload(tile, second.frame);
  display->swap(tile);
  picture = display->read_back(tile);
  CHECK(red_of_row(picture, 23) == 90);
  CHECK(red_of_row(picture, 24) == 91);
}

TEST_CASE("a change of format leaves nothing of the old one") {
  const auto wall = small_wall();
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  display->upload(tile, flat(wall, 255).frame);
  auto frame =
      make_frame(wall, tile, PixelFormat::ycbcr422_8, [](unsigned, std::size_t i) { return i % 2 == 0 ? 128 : 235; });
  frame.lose_band(0);
  display->upload(tile, frame.frame);
  display->swap(tile);
  const auto picture = display->read_back(tile);
  CHECK(red_of_row(picture, 0) == 0);
  CHECK(red_of_row(picture, 47) == 255);
}

// Bands of 17, 17 and 16 rows of pixels are 5, 4 and 4 rows of blocks; the last of these extends beyond the tile.
TEST_CASE("missing rows of blocks keep the content of the frame before") {
  const auto wall = small_wall(64, 50, 3);
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  const auto red = [&](bool full) {  // of a block's first colour, which all of its pixels have
    return make_frame(wall, tile, PixelFormat::bc1,
                      [=](unsigned, std::size_t i) { return full && i % 8 == 1 ? 0xf8 : 0; });
  };
  const auto before = red(false);
  display->upload(tile, before.frame);
  auto after = red(true);
  after.lose_row(1, 0);
  after.lose_row(2, 3);
  display->upload(tile, after.frame);
  display->set_overlay(tile, {{}, Pattern::none, false, true});
  display->swap(tile);
  const auto picture = display->read_back(tile);
  for (unsigned row = 0; row < wall.grid.tile_height; ++row) {
    const bool concealed = (row >= 20 && row < 24) || row >= 48;
    CHECK(red_of_row(picture, row) == (concealed ? 230U : 255U));  // the mark
    CHECK(std::to_integer<unsigned>(picture.pixels[(std::size_t{row} * picture.width + 10) * 3]) ==
          (concealed ? 0U : 255U));
  }
}

TEST_CASE("until a frame is swapped in, a tile shows that it is waiting") {
  const auto wall = small_wall(320, 200);
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  display->redraw(tile);
  const auto waiting = display->read_back(tile);
  const auto card = paint_waiting(facts_of(wall, wall.nodes[0], wall.nodes[0].tiles[0]));
  CHECK(std::to_integer<unsigned>(waiting.pixels[(std::size_t{100} * 320 + 160) * 3]) == card.at(160, 100).r);
  const auto frame = flat(wall, 77);
  display->upload(tile, frame.frame);
  display->redraw(tile);
  CHECK(display->read_back(tile).pixels == waiting.pixels);
  display->swap(tile);
  CHECK(red_of_row(display->read_back(tile), 0) == 77);
}

TEST_CASE("the identify label covers the frame, and disappears again") {
  const auto wall = small_wall(320, 200);
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  display->upload(tile, flat(wall, 120).frame);
  display->swap(tile);
  const auto clean = display->read_back(tile);
  display->set_overlay(tile, {{}, Pattern::none, true});
  display->redraw(tile);
  const auto labelled = display->read_back(tile);
  CHECK(labelled.pixels != clean.pixels);
  CHECK(std::to_integer<unsigned>(labelled.pixels[(std::size_t{20} * 320 + 20) * 3]) ==
        120);  // transparent beside the label
  display->set_overlay(tile, {{}, Pattern::none, false});
  display->redraw(tile);
  CHECK(display->read_back(tile).pixels == clean.pixels);
}

TEST_CASE("overlays of other nodes' tiles are ignored") {
  const auto wall = small_wall();
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  display->set_overlay({9}, {{}, Pattern::grid, false});
  CHECK(display->poll_events());
}

TEST_CASE("a preview is the tile scaled down, with its overlays") {
  const auto wall = small_wall(320, 200);
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  SmallPicture small(320, 200);
  CHECK((small.width == 192 && small.height == 120));
  const auto red = [&](unsigned x, unsigned y) {
    display->begin_preview(tile);
    REQUIRE(display->take_preview(tile, small));
    return unsigned{small.rgb[(std::size_t{y} * small.width + x) * 3]};
  };
  display->redraw(tile);
  const auto waiting = red(96, 5);
  CHECK(waiting != 77);
  const auto ramp = make_frame(wall, tile, PixelFormat::rgb8,
                               [](unsigned row, std::size_t i) { return row < 100 ? i / 3 % 160 : 77; });
  display->upload(tile, ramp.frame);
  CHECK(red(96, 5) == waiting);  // not before its swap
  display->swap(tile);
  CHECK(red(96, 90) == 77);
  CHECK(std::abs(static_cast<int>(red(48, 30)) - 80) <= 2);
  display->set_overlay(tile, {{}, Pattern::black, false});
  CHECK(red(96, 90) == 0);
  display->set_overlay(tile, {{}, Pattern::bar, false});
  display->redraw(tile);
  red(0, 0);
  CHECK(std::ranges::count(small.rgb, 77) < static_cast<std::ptrdiff_t>(small.rgb.size() / 4));
  display->set_overlay(tile, {{}, Pattern::none, true});
  red(0, 0);
  CHECK(std::ranges::count(small.rgb, 77) > 100);
  CHECK(small.rgb[(std::size_t{60} * small.width + 96) * 3 + 1] != 77);  // the label
}

TEST_CASE("a preview of any format has the colours of the frame") {
  const auto wall = small_wall(64, 48);
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  SmallPicture small(64, 48);
  CHECK((small.width == 64 && small.height == 48));
  for (const auto format : {PixelFormat::rgb8, PixelFormat::ycbcr422_8, PixelFormat::bc7, PixelFormat::bc1}) {
    display->upload(tile, noise_frame(wall, tile, format, 5).frame);
    display->swap(tile);
    REQUIRE(display->take_preview(tile, small));
    const auto picture = display->read_back(tile);
    for (std::size_t i = 0; i < small.rgb.size(); ++i)
      REQUIRE(small.rgb[i] == std::to_integer<unsigned>(picture.pixels[i]));
  }
}

TEST_CASE("a preview is encoded as PNG") {
  SmallPicture small(640, 400);
  CHECK((small.width == 192 && small.height == 120));
  std::mt19937 random(1);
  for (auto& value : small.rgb) value = static_cast<std::uint8_t>(random());
  const auto png = png_of(small);
  CHECK(png.starts_with("\x89PNG"));
  CHECK(png.size() < std::size_t{192} << 10U);  // as the server accepts them, even for noise
}

TEST_CASE("a preview is requested, made and returned in turn") {
  PreviewSlot slot({5}, 640, 400);
  CHECK_FALSE(slot.asked());
  slot.ask();
  CHECK(slot.asked());
  CHECK(slot.ready() == nullptr);
  slot.picture().frame = 5;
  slot.hand_over();
  slot.ask();  // it is ready: no other is made
  CHECK_FALSE(slot.asked());
  REQUIRE(slot.ready() != nullptr);
  CHECK(slot.ready()->frame == 5U);
  slot.give_back();
  CHECK(slot.ready() == nullptr);
}
