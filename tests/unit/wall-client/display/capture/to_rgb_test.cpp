// The CPU reference of the shaders, against values of ITU-R BT.709-6 and RFC 4175's byte order.
#include "wall-client/display/capture/to_rgb.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <vector>

using namespace lw;

namespace {

struct Sample {
  unsigned y, cb, cr;
};

std::vector<std::byte> uyvy(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// Cb Y0 Cr Y1 of 10 bits each in 40 bits, most significant first.
std::vector<std::byte> uyvp(std::initializer_list<std::array<std::uint64_t, 4>> groups) {
  std::vector<std::byte> bytes;
  for (const auto& group : groups) {
    const std::uint64_t bits = group[0] << 30U | group[1] << 20U | group[2] << 10U | group[3];
    for (int shift = 32; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(bits >> shift & 255U));
  }
  return bytes;
}

bool near(int a, int b, int tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

TEST_CASE("rgb8 is copied unchanged") {
  const auto row = uyvy({1, 2, 3, 253, 254, 255});
  std::array<std::uint8_t, 6> rgb{};
  row_to_rgb8(PixelFormat::rgb8, row.data(), 2, rgb.data());
  CHECK(rgb == std::array<std::uint8_t, 6>{1, 2, 3, 253, 254, 255});
  std::array<std::uint16_t, 6> wide{};
  row_to_rgb16(PixelFormat::rgb8, row.data(), 2, wide.data());
  CHECK(wide == std::array<std::uint16_t, 6>{257, 514, 771, 65021, 65278, 65535});
}

TEST_CASE("video range YCbCr of BT.709 becomes full range RGB") {
  // Digital values of 100 % colours, ITU-R BT.709-6 item 3.4 applied to its matrix; 10 bits are these with two bits
  // more.
  struct Known {
    const char* name;
    Sample eight, ten;
    std::array<int, 3> rgb;
  };
  const auto known = GENERATE(Known{"black", {16, 128, 128}, {64, 512, 512}, {0, 0, 0}},
                              Known{"white", {235, 128, 128}, {940, 512, 512}, {255, 255, 255}},
                              Known{"grey", {126, 128, 128}, {502, 512, 512}, {128, 128, 128}},
                              Known{"red", {63, 102, 240}, {250, 409, 960}, {255, 0, 0}},
                              Known{"green", {173, 42, 26}, {691, 167, 105}, {0, 255, 0}},
                              Known{"blue", {32, 240, 118}, {127, 960, 471}, {0, 0, 255}});
  INFO(known.name);
  const auto eight = uyvy({known.eight.cb, known.eight.y, known.eight.cr, known.eight.y});
  std::array<std::uint8_t, 6> rgb{};
  row_to_rgb8(PixelFormat::ycbcr422_8, eight.data(), 2, rgb.data());
  const auto ten = uyvp({{known.ten.cb, known.ten.y, known.ten.cr, known.ten.y}});
  std::array<std::uint16_t, 6> wide{};
  row_to_rgb16(PixelFormat::ycbcr422_10, ten.data(), 2, wide.data());
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(near(rgb[i], known.rgb[i % 3], 2));           // the digital values are rounded
    CHECK(near(wide[i], known.rgb[i % 3] * 257, 140));  // half a step of 10 bits and its chroma
  }
}

TEST_CASE("walls with BT.2020 primaries have its matrix") {
  // BT.2020-2, table 4: red of 100 % is Y' = 0.2627, Cb' = -0.2627 / 1.8814, Cr' = 0.5; in 10 bits 294, 387 and 960.
  const auto row = uyvp({{387, 294, 960, 294}});
  std::array<std::uint16_t, 6> wide{};
  row_to_rgb16(PixelFormat::ycbcr422_10, row.data(), 2, wide.data(), Primaries::bt2020);
  CHECK(near(wide[0], 65535, 140));
  CHECK(near(wide[1], 0, 140));
  CHECK(near(wide[2], 0, 140));
  row_to_rgb16(PixelFormat::ycbcr422_10, row.data(), 2, wide.data());
  CHECK(wide[1] > 1000);
}

TEST_CASE("values outside the video range are clipped") {
  const auto row = uyvy({128, 0, 128, 255});
  std::array<std::uint8_t, 6> rgb{};
  row_to_rgb8(PixelFormat::ycbcr422_8, row.data(), 2, rgb.data());
  CHECK(rgb == std::array<std::uint8_t, 6>{0, 0, 0, 255, 255, 255});
}

TEST_CASE("odd pixels take the mean of the chroma beside them, the last one its own") {
  // Luma 126 everywhere; Cr 128 in the first group, 148 in the second.
  const auto row = uyvy({128, 126, 128, 126, 128, 126, 148, 126});
  std::array<std::uint8_t, 12> rgb{};
  row_to_rgb8(PixelFormat::ycbcr422_8, row.data(), 4, rgb.data());
  const double step = 255 * 1.5748 / 224;  // of R by Cr
  CHECK(rgb[0] == 128);
  CHECK(near(rgb[3], static_cast<int>(128 + 10 * step), 1));
  CHECK(near(rgb[6], static_cast<int>(128 + 20 * step), 1));
  CHECK(rgb[9] == rgb[6]);
}

TEST_CASE("the 40 bits of a 10-bit group are unpacked") {
  // Luma steps of one at 10 bits are 65535 / 876 at 16.
  const auto row = uyvp({{512, 501, 512, 502}});
  std::array<std::uint16_t, 6> rgb{};
  row_to_rgb16(PixelFormat::ycbcr422_10, row.data(), 2, rgb.data());
  CHECK(near(rgb[0], 32693, 1));
  CHECK(near(rgb[3] - rgb[0], 75, 1));
}

TEST_CASE("the 120 bits of four RGB pixels are unpacked, and rounded to the nearest value") {
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    std::array<unsigned, 24> values{};
    std::vector<std::byte> row(30);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = round == 0 ? 1023 : static_cast<unsigned>(random() % 1024);
      for (std::size_t bit = 0; bit < 10; ++bit)
        row[(i * 10 + bit) / 8] |= static_cast<std::byte>((values[i] >> (9 - bit) & 1U) << (7 - (i * 10 + bit) % 8));
    }
    std::array<std::uint8_t, 24> rgb{};
    std::array<std::uint16_t, 24> wide{};
    row_to_rgb8(PixelFormat::rgb10, row.data(), 8, rgb.data());
    row_to_rgb16(PixelFormat::rgb10, row.data(), 8, wide.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      REQUIRE(rgb[i] == std::lround(values[i] * 255.0 / 1023));
      REQUIRE(wide[i] == std::lround(values[i] * 65535.0 / 1023));
      REQUIRE(pixel_to_rgb8(PixelFormat::rgb10, row.data(), 8, static_cast<unsigned>(i / 3), 0)[i % 3] == rgb[i]);
    }
  }
}

TEST_CASE("black is black in every format") {
  const auto format =
      GENERATE(PixelFormat::rgb8, PixelFormat::ycbcr422_8, PixelFormat::ycbcr422_10, PixelFormat::rgb10);
  std::vector<std::byte> row(row_bytes(format, 8), std::byte{0x5A});
  fill_black(format, 8, row.data());
  std::vector<std::uint16_t> rgb(24, 1);
  row_to_rgb16(format, row.data(), 8, rgb.data());
  CHECK(rgb == std::vector<std::uint16_t>(24, 0));
}
