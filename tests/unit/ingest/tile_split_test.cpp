#include "ingest/tile_split.h"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "ingest/pixel_groups.h"
#include "tests/unit/ingest/frames.h"

namespace {

lw::Wall wall_of(unsigned tile_width, unsigned bezel_x) {
  lw::Wall wall;
  wall.set_grid(
      {.columns = 2, .rows = 2, .tile_width = tile_width, .tile_height = 3, .bezel_x = bezel_x, .bezel_y = 1});
  return wall;
}

}  // namespace

TEST_CASE("tiles are cut out around the bezels") {
  const auto wall = wall_of(4, 2);
  const auto picture = make_frame(AV_PIX_FMT_RGB24, 10, 7);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 10; ++x)
      for (int c = 0; c < 3; ++c)
        sample<std::uint8_t>(*picture, 0, 3 * x + c, y) = static_cast<std::uint8_t>(x * 16 + y * 2 + (c & 1));
  std::vector<std::byte> tile(4 * 3 * 3);
  lw::split_tile(*picture, lw::PixelFormat::rgb8, wall.tile({3}).place, 1, tile);
  CHECK(std::to_integer<int>(tile[0]) == 6 * 16 + 4 * 2);
  CHECK(std::to_integer<int>(tile[1]) == 6 * 16 + 4 * 2 + 1);
  CHECK(std::to_integer<int>(tile.back()) == 9 * 16 + 6 * 2);
}

TEST_CASE("4:2:2 tiles keep their chroma") {
  const auto wall = wall_of(4, 2);
  const auto packed = make_frame(AV_PIX_FMT_UYVY422, 10, 7);
  const auto planar = make_frame(AV_PIX_FMT_YUV422P10LE, 10, 7);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 20; ++x) sample<std::uint8_t>(*packed, 0, x, y) = static_cast<std::uint8_t>(x + 32 * y);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 10; ++x) {
      sample<std::uint16_t>(*planar, 0, x, y) = static_cast<std::uint16_t>(x + 32 * y);
      if (x < 5) sample<std::uint16_t>(*planar, 1, x, y) = static_cast<std::uint16_t>(512 + x);
      if (x < 5) sample<std::uint16_t>(*planar, 2, x, y) = static_cast<std::uint16_t>(768 + x);
    }
  std::vector<std::byte> tile(4 * 2 * 3);
  lw::split_tile(*packed, lw::PixelFormat::ycbcr422_8, wall.tile({1}).place, 1, tile);
  CHECK(std::to_integer<int>(tile[0]) == 12);
  CHECK(std::to_integer<int>(tile[8]) == 12 + 32);
  std::vector<std::byte> ten(5 * 2 * 3);
  lw::split_tile(*planar, lw::PixelFormat::ycbcr422_10, wall.tile({1}).place, 1, ten);
  const auto bits = [&ten](std::size_t first) {  // of the group that begins there
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 5; ++i) value = value << 8U | std::to_integer<std::uint64_t>(ten[first + i]);
    return value;
  };
  CHECK(bits(0) >> 30U == 512 + 3);
  CHECK((bits(0) >> 20U & 1023U) == 6);
  CHECK((bits(0) >> 10U & 1023U) == 768 + 3);
  CHECK((bits(15) & 1023U) == 9 + 32);
}

TEST_CASE("RGB tiles of 10 bits begin at any column") {
  const auto wall = wall_of(4, 1);
  const auto picture = make_frame(AV_PIX_FMT_GBRP10LE, 9, 7);
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 9; ++x)
        sample<std::uint16_t>(*picture, plane, x, y) = static_cast<std::uint16_t>(300 * plane + 9 * y + x);
  std::vector<std::byte> tile(15 * 3);
  lw::split_tile(*picture, lw::PixelFormat::rgb10, wall.tile({1}).place, 1, tile);
  std::array<std::uint16_t, 4> red{}, green{}, blue{};
  lw::unpack_rgb_10(tile.data() + 30, 1, red.data(), green.data(), blue.data());
  for (unsigned x = 0; x < 4; ++x)
    CHECK((green[x] == 18 + 5 + x && blue[x] == 300 + 18 + 5 + x && red[x] == 600 + 18 + 5 + x));
}

TEST_CASE("tiles that would split a pair of pixels are refused") {
  CHECK(lw::can_split(wall_of(5, 1), lw::PixelFormat::rgb8).has_value());
  CHECK(lw::can_split(wall_of(4, 2), lw::PixelFormat::ycbcr422_10).has_value());
  CHECK(lw::can_split(wall_of(5, 1), lw::PixelFormat::ycbcr422_8).has_error());
  CHECK(lw::can_split(wall_of(4, 1), lw::PixelFormat::ycbcr422_8).error().what.find("bezel") != std::string::npos);
  CHECK(lw::can_split(wall_of(4, 1), lw::PixelFormat::rgb10).has_value());
  CHECK(lw::can_split(wall_of(6, 2), lw::PixelFormat::rgb10).error().text().find("a multiple of 4") !=
        std::string::npos);
}
