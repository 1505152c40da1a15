#include "ingest/deep_rgb.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/unit/ingest/frames.h"

TEST_CASE("only RGB and full-range grey of more than 8 bits are deep") {
  for (const auto format :
       {AV_PIX_FMT_GBRP10LE, AV_PIX_FMT_RGB48BE, AV_PIX_FMT_GBRAP16LE, AV_PIX_FMT_GRAY16BE, AV_PIX_FMT_GBRPF32LE})
    CHECK(lw::is_deep_rgb(*make_frame(format, 2, 2)));
  for (const auto format :
       {AV_PIX_FMT_RGB24, AV_PIX_FMT_GBRP, AV_PIX_FMT_PAL8, AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUV422P10LE})
    CHECK_FALSE(lw::is_deep_rgb(*make_frame(format, 2, 2)));
  const auto video = make_frame(AV_PIX_FMT_GRAY10LE, 2, 2);
  video->color_range = AVCOL_RANGE_MPEG;
  CHECK_FALSE(lw::is_deep_rgb(*video));
}

TEST_CASE("every 8-bit value survives being stored in 16 bits") {
  const auto deep = make_frame(AV_PIX_FMT_RGB48LE, 256, 1);
  for (int v = 0; v < 256; ++v)
    for (int c = 0; c < 3; ++c)
      sample<std::uint16_t>(*deep, 0, 3 * v + c, 0) = static_cast<std::uint16_t>((v + c) % 256 * 257);
  lw::FramePool pool;
  const auto rgb = lw::prepare_deep_rgb(*deep, false, pool);
  REQUIRE(rgb.has_value());
  for (int v = 0; v < 256; ++v)
    for (int c = 0; c < 3; ++c) CHECK(sample<std::uint8_t>(**rgb, 0, 3 * v + c, 0) == (v + c) % 256);
}

TEST_CASE("planes of 10 bits are rounded to the nearest") {
  const auto deep = make_frame(AV_PIX_FMT_GBRP10LE, 1024, 2);
  for (int v = 0; v < 1024; ++v)
    for (int plane = 0; plane < 3; ++plane)
      sample<std::uint16_t>(*deep, plane, v, 1) = static_cast<std::uint16_t>((v + plane) % 1024);
  lw::FramePool pool;
  const auto rgb = lw::prepare_deep_rgb(*deep, false, pool);
  REQUIRE(rgb.has_value());
  const auto rounded = [](int v) { return static_cast<int>(std::lround(v % 1024 * 255.0 / 1023)); };
  for (int v = 0; v < 1024; ++v) {
    CHECK(sample<std::uint8_t>(**rgb, 0, 3 * v, 1) == rounded(v + 2));  // planes are G, B, R
    CHECK(sample<std::uint8_t>(**rgb, 0, 3 * v + 1, 1) == rounded(v));
    CHECK(sample<std::uint8_t>(**rgb, 0, 3 * v + 2, 1) == rounded(v + 1));
  }
}

TEST_CASE("floats are cut off at black and white") {
  const auto deep = make_frame(AV_PIX_FMT_GBRPF32LE, 5, 1);
  const float values[]{-1.0F, 0.5F, 1.0F, 7.0F, std::numeric_limits<float>::quiet_NaN()};
  for (int x = 0; x < 5; ++x)
    for (int plane = 0; plane < 3; ++plane) sample<float>(*deep, plane, x, 0) = values[x];
  lw::FramePool pool;
  const auto rgb = lw::prepare_deep_rgb(*deep, false, pool);
  REQUIRE(rgb.has_value());
  const int expected[]{0, 128, 255, 255, 0};
  for (int x = 0; x < 5; ++x) CHECK(sample<std::uint8_t>(**rgb, 0, 3 * x, 0) == expected[x]);
}

TEST_CASE("grey becomes three equal channels") {
  const auto deep = make_frame(AV_PIX_FMT_GRAY16LE, 1, 1);
  sample<std::uint16_t>(*deep, 0, 0, 0) = 100 * 257;
  lw::FramePool pool;
  const auto rgb = lw::prepare_deep_rgb(*deep, false, pool);
  REQUIRE(rgb.has_value());
  for (int c = 0; c < 3; ++c) CHECK(sample<std::uint8_t>(**rgb, 0, c, 0) == 100);
}

TEST_CASE("for 10 bits, white becomes the scaler's white") {
  const auto deep = make_frame(AV_PIX_FMT_GBRP12LE, 2, 1);
  for (int plane = 0; plane < 3; ++plane)
    sample<std::uint16_t>(*deep, plane, 0, 0) = static_cast<std::uint16_t>(plane * 4095 / 2);
  lw::FramePool pool;
  const auto ready = lw::prepare_deep_rgb(*deep, true, pool);
  REQUIRE(ready.has_value());
  REQUIRE((*ready)->format == AV_PIX_FMT_GBRP16);
  CHECK(sample<std::uint16_t>(**ready, 0, 0, 0) == 0);
  CHECK(sample<std::uint16_t>(**ready, 1, 0, 0) == (2047 * 0xff00 + 2047) / 4095);
  CHECK(sample<std::uint16_t>(**ready, 2, 0, 0) == 0xff00);
}
