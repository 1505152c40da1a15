#include "wall-client/display/output/grey_map.h"

#include "tests/unit/wall-client/display/output_files.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;
using namespace lw::test;

TEST_CASE("maps of 8 and 16 bits, grey, grey with alpha and RGB that is grey are read by value") {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    const unsigned width = one_of(random, 1, 20), height = one_of(random, 1, 20);
    std::vector<std::uint16_t> deep(std::size_t{width} * height);
    std::vector<std::uint8_t> grey(deep.size()), rgb, with_alpha;
    for (std::size_t i = 0; i < deep.size(); ++i) {
      deep[i] = static_cast<std::uint16_t>(random());
      grey[i] = static_cast<std::uint8_t>(random());
      rgb.insert(rgb.end(), 3, grey[i]);
      with_alpha.insert(with_alpha.end(), {grey[i], static_cast<std::uint8_t>(255 - i)});
    }
    const auto sixteen = parse_grey_map(png_of(width, height, PNG_FORMAT_LINEAR_Y, deep));
    if (!sixteen) FAIL(sixteen.error().text());
    CHECK((sixteen->width == width && sixteen->height == height));
    CHECK(sixteen->values == deep);
    std::vector<std::uint16_t> expected;
    for (const auto value : grey) expected.push_back(static_cast<std::uint16_t>(value * 257));
    for (const auto& bytes : {png_of(width, height, PNG_FORMAT_GRAY, grey), png_of(width, height, PNG_FORMAT_RGB, rgb),
                              png_of(width, height, PNG_FORMAT_GA, with_alpha)}) {
      const auto map = parse_grey_map(bytes);
      if (!map) FAIL(map.error().text());
      CHECK(map->values == expected);
    }
  }
}

TEST_CASE("a map of the panel's size is taken pixel by pixel, and another one is stretched over it") {
  std::mt19937 random(6);
  GreyMap map{40, 30, {}};
  for (int i = 0; i < 1200; ++i) map.values.push_back(static_cast<std::uint16_t>(random()));
  for (unsigned y = 0; y < 30; ++y)
    for (unsigned x = 0; x < 40; ++x) CHECK(map.over(static_cast<int>(x), static_cast<int>(y), 40, 30) == map.at(x, y));
  // A slope keeps its values between the centres of the map's outer pixels.
  GreyMap slope{16, 1, {}};
  for (int i = 0; i < 16; ++i) slope.values.push_back(static_cast<std::uint16_t>((2 * i + 1) * 65535 / 32));
  for (int x = 50; x < 750; ++x) CHECK(slope.over(x, 3, 800, 7) == Approx((x + 0.5) / 800).margin(0.0005));
  CHECK(slope.over(0, 0, 800, 7) == slope.at(0, 0));
  CHECK(slope.over(799, 6, 800, 7) == slope.at(15, 0));
}

TEST_CASE("wrong PNG files are refused") {
  const std::vector<std::uint8_t> colours{1, 2, 3};
  const auto good = png_of(3, 1, PNG_FORMAT_GRAY, colours);
  CHECK(parse_grey_map(good).has_value());
  for (std::size_t size = 0; size < good.size() - 12; ++size)  // the last chunk may be missing
    CHECK(parse_grey_map(good.substr(0, size)).has_error());
  CHECK_THAT(parse_grey_map("GIF89a").error().what, Catch::Contains("not a PNG image that can be used"));
  CHECK_THAT(parse_grey_map(good.substr(0, 20)).error().what, Catch::Contains("the file ends early"));
  CHECK_THAT(parse_grey_map(png_of(1, 1, PNG_FORMAT_RGB, colours)).error().text(),
             Catch::Contains("grey with 8 or 16"));
  const std::vector<std::uint8_t> wide(16385);
  CHECK(parse_grey_map(png_of(16385, 1, PNG_FORMAT_GRAY, wide)).has_error());
  auto huge = good;  // its size alone is changed: 16384 x 16384
  huge.replace(16, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));
  CHECK(parse_grey_map(huge).has_error());
}
