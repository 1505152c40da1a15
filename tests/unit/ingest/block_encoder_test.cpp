// Laws: what is encoded and decoded again is close to the original, and equal to it where a block has one colour that
// the format has; a block depends on its own pixels only.
#include "ingest/block_encoder.h"

#include "common/pixel/block_decoder.h"
#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lw;

namespace {

struct Picture {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  Picture(unsigned w, unsigned h) : width(w), height(h), rgb(std::size_t{w} * h * 3) {}
  [[nodiscard]] std::uint8_t* at(unsigned x, unsigned y) { return rgb.data() + (std::size_t{y} * width + x) * 3; }
  [[nodiscard]] RgbPixels pixels() const { return {rgb.data(), static_cast<std::ptrdiff_t>(width) * 3, width, height}; }
};

std::vector<std::byte> encoded(PixelFormat format, const RgbPixels& pixels) {
  std::vector<std::byte> blocks(frame_bytes(format, pixels.width, pixels.height));
  encode_blocks(format, pixels, blocks);
  return blocks;
}

Picture there_and_back(PixelFormat format, const Picture& picture) {
  Picture back(picture.width, picture.height);
  decode_blocks(format, encoded(format, picture.pixels()).data(), picture.width, picture.height, back.rgb.data(),
                std::size_t{picture.width} * 3);
  return back;
}

double psnr(const Picture& a, const Picture& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) squares += std::pow(a.rgb[i] - b.rgb[i], 2);
  return 10 * std::log10(255.0 * 255 * static_cast<double>(a.rgb.size()) / std::max(squares, 1e-9));
}

int largest_difference(const Picture& a, const Picture& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(a.rgb[i] - b.rgb[i]));
  return largest;
}

// Waves of each channel with their own directions.
Picture waves(unsigned width, unsigned height) {
  Picture picture(width, height);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      for (unsigned c = 0; c < 3; ++c)
        picture.at(x, y)[c] =
            static_cast<std::uint8_t>(127.5 + 127 * std::sin(x * (0.03 + 0.01 * c) + y * (0.05 - 0.02 * c)));
  return picture;
}

Picture noise(unsigned width, unsigned height, truth::Random& random) {
  Picture picture(width, height);
  for (auto& value : picture.rgb) value = static_cast<std::uint8_t>(random.word());
  return picture;
}

}  // namespace

TEST_CASE("smooth images stay close to the original, of any size") {
  for (const auto& [width, height] : {std::pair{256U, 128U}, std::pair{130U, 67U}, std::pair{66U, 9U}}) {
    const auto picture = waves(width, height);
    CAPTURE(width, height);
    CHECK(psnr(picture, there_and_back(PixelFormat::bc7, picture)) > 42);
    CHECK(psnr(picture, there_and_back(PixelFormat::bc1, picture)) > 36);
  }
}

// They need not fall onto the block's own steps: half a step, and the rounding of its ends.
TEST_CASE("colours on a line are off by half of BC7's sixteen steps at most") {
  truth::Random random(3);
  for (int i = 0; i < 200; ++i) {
    Picture picture(4, 4);
    std::array<int, 3> first{}, second{};
    for (auto* color : {&first, &second})
      for (auto& value : *color) value = static_cast<int>(random.below(256));
    for (unsigned pixel = 0; pixel < 16; ++pixel) {
      const auto step = static_cast<int>(random.below(16));
      for (unsigned c = 0; c < 3; ++c)
        picture.at(pixel % 4, pixel / 4)[c] =
            static_cast<std::uint8_t>((first[c] * (15 - step) + second[c] * step) / 15);
    }
    int span = 0;
    for (unsigned c = 0; c < 3; ++c) span = std::max(span, std::abs(first[c] - second[c]));
    CHECK(largest_difference(picture, there_and_back(PixelFormat::bc7, picture)) <= span / 30 + 2);
  }
}

TEST_CASE("a block of one colour is exact in BC7, and as close as BC1's bits allow") {
  truth::Random random(5);
  for (int i = 0; i < 2000; ++i) {
    std::array<std::uint8_t, 3> color{};
    for (auto& value : color)
      value = static_cast<std::uint8_t>(i < 256 ? i : random.once_in(4) ? 255 * random.below(2) : random.below(256));
    Picture picture(4, 4);
    for (unsigned pixel = 0; pixel < 16; ++pixel) std::ranges::copy(color, picture.at(pixel % 4, pixel / 4));
    REQUIRE(largest_difference(picture, there_and_back(PixelFormat::bc7, picture)) == 0);
    REQUIRE(largest_difference(picture, there_and_back(PixelFormat::bc1, picture)) <= 2);
  }
}

TEST_CASE("noise is encoded as well as four colours on a line can be") {
  truth::Random random(9);
  const auto picture = noise(64, 64, random);
  CHECK(psnr(picture, there_and_back(PixelFormat::bc7, picture)) > 11);
  CHECK(psnr(picture, there_and_back(PixelFormat::bc1, picture)) > 11);
}

// Not on its place in the image, which decides the lane that encodes it, and so not on its neighbours.
TEST_CASE("a block depends on its own pixels only") {
  truth::Random random(11);
  for (const auto format : {PixelFormat::bc7, PixelFormat::bc1})
    for (int i = 0; i < 20; ++i) {
      const auto picture =
          noise(static_cast<unsigned>(random.between(1, 90)), static_cast<unsigned>(random.between(1, 20)), random);
      const auto blocks = encoded(format, picture.pixels());
      const auto all = picture.pixels();
      const std::size_t bytes = info(format).group_bytes;
      for (unsigned y = 0; y < picture.height; y += block_side)
        for (unsigned x = 0; x < picture.width; x += block_side) {
          const RgbPixels one{all.first + y * all.stride + std::size_t{x} * 3, all.stride,
                              std::min(block_side, picture.width - x), std::min(block_side, picture.height - y)};
          const auto alone = encoded(format, one);
          const auto place = y / block_side * row_bytes(format, picture.width) + x / block_side * bytes;
          REQUIRE(std::equal(alone.begin(), alone.end(), blocks.begin() + static_cast<std::ptrdiff_t>(place)));
        }
    }
}
