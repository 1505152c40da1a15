// Blocks written by hand from the specification, and any bytes. unit.wall-client.gl compares the decoder with a GPU's
// sampler over random blocks of all modes, e2e.pixels with Pillow.
#include "common/pixel/block_decoder.h"

#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <array>
#include <vector>

using namespace lw;

namespace {

using Rgb = std::array<int, 3>;

Rgb pixel(const BlockPixels& pixels, unsigned x, unsigned y) {
  const auto at = std::size_t{y * block_side + x} * 3;
  return {pixels[at], pixels[at + 1], pixels[at + 2]};
}

template <std::size_t N>
BlockPixels decoded(PixelFormat format, const std::array<unsigned, N>& bytes) {
  std::array<std::byte, N> block{};
  for (std::size_t i = 0; i < N; ++i) block[i] = static_cast<std::byte>(bytes[i]);
  return decode_block(format, block.data());
}

}  // namespace

TEST_CASE("a block of BC1 has two colours and two between them, or one and black") {
  // Red 31 and blue 31; the codes of the first row are 0 1 2 3, all others 0.
  const auto four = decoded(PixelFormat::bc1, std::array{0x00U, 0xf8U, 0x1fU, 0x00U, 0xe4U, 0U, 0U, 0U});
  CHECK(pixel(four, 0, 0) == Rgb{255, 0, 0});
  CHECK(pixel(four, 1, 0) == Rgb{0, 0, 255});
  CHECK(pixel(four, 2, 0) == Rgb{170, 0, 85});
  CHECK(pixel(four, 3, 0) == Rgb{85, 0, 170});
  CHECK(pixel(four, 3, 3) == Rgb{255, 0, 0});
  const auto three = decoded(PixelFormat::bc1, std::array{0x1fU, 0x00U, 0x00U, 0xf8U, 0xe4U, 0U, 0U, 0U});
  CHECK(pixel(three, 0, 0) == Rgb{0, 0, 255});
  CHECK(pixel(three, 1, 0) == Rgb{255, 0, 0});
  CHECK(pixel(three, 2, 0) == Rgb{128, 0, 128});
  CHECK(pixel(three, 3, 0) == Rgb{0, 0, 0});
}

TEST_CASE("a block of BC7 in mode 6 has sixteen steps between its ends") {
  // Red 0 to 127, each with the lowest bit 1; green, blue and alpha 0. The second pixel's index is 15, the last
  // one's 8.
  const auto block = decoded(
      PixelFormat::bc7, std::array{0x40U, 0xc0U, 0x1fU, 0U, 0U, 0U, 0U, 0x80U, 0xf1U, 0U, 0U, 0U, 0U, 0U, 0U, 0x80U});
  CHECK(pixel(block, 0, 0) == Rgb{1, 1, 1});
  CHECK(pixel(block, 1, 0) == Rgb{255, 1, 1});
  CHECK(pixel(block, 3, 3) == Rgb{(30 * 1 + 34 * 255 + 32) >> 6, 1, 1});
}

TEST_CASE("a reserved block of BC7 is black") {
  CHECK(decoded(PixelFormat::bc7, std::array<unsigned, 16>{0, 0xff, 0xff}) == BlockPixels{});
}

TEST_CASE("frames of any bytes and any size are decoded within their pixels") {
  truth::Random random(7);
  for (const auto format : {PixelFormat::bc7, PixelFormat::bc1})
    for (int i = 0; i < 100; ++i) {
      const auto width = static_cast<unsigned>(random.between(1, 23)),
                 height = static_cast<unsigned>(random.between(1, 23));
      std::vector<std::byte> blocks(frame_bytes(format, width, height));
      for (auto& byte : blocks) byte = static_cast<std::byte>(random.word());
      constexpr std::uint8_t untouched = 0xa5;
      const std::size_t stride = std::size_t{width} * 3 + 5;
      std::vector<std::uint8_t> rgb(stride * height, untouched);
      decode_blocks(format, blocks.data(), width, height, rgb.data(), stride);
      for (unsigned y = 0; y < height; ++y) {
        const auto* row = blocks.data() + y / block_side * row_bytes(format, width);
        for (unsigned x = 0; x < width; ++x) {
          const auto block = decode_block(format, row + std::size_t{x / block_side} * info(format).group_bytes);
          const auto* got = rgb.data() + y * stride + std::size_t{x} * 3;
          REQUIRE(pixel(block, x % block_side, y % block_side) == Rgb{got[0], got[1], got[2]});
        }
        for (std::size_t beyond = std::size_t{width} * 3; beyond < stride; ++beyond)
          REQUIRE(rgb[y * stride + beyond] == untouched);
      }
    }
}
