// Laws of bands of `lossless`: whatever the pixels are, they come back exactly and fit their memory; whatever the bytes
// are, only the band's rows are written; each chunk and each of the two tables stands by itself.
#include "common/pixel/lossless_band.h"

#include "common/pixel/pixel_format.h"
#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace lw;

namespace {

struct Picture {
  unsigned width = 0;
  unsigned rows = 0;
  std::vector<std::byte> rgb;
};

enum class Content { noise, smooth, flat, mixed };

Picture picture(Content content, unsigned width, unsigned rows, truth::Random& random) {
  Picture made{width, rows, std::vector<std::byte>(std::size_t{width} * rows * 3)};
  const double phase = static_cast<double>(random.below(100));
  for (std::size_t i = 0; i < made.rgb.size(); ++i) {
    const auto x = static_cast<double>(i / 3 % width), y = static_cast<double>(i / 3 / width);
    const auto wave =
        static_cast<unsigned>(127 + 120 * std::sin(x / 40 + phase) * std::cos(y / 30 + static_cast<double>(i % 3)));
    const bool noisy = content == Content::noise || (content == Content::mixed && i / 3 / width / 9 % 2 == 0);
    made.rgb[i] = static_cast<std::byte>(noisy ? random.word() : content == Content::flat ? 7U : wave);
  }
  return made;
}

std::vector<std::byte> encoded(const Picture& picture, std::size_t* used = nullptr) {
  std::vector<std::byte> band(frame_bytes(PixelFormat::lossless, picture.width, picture.rows), std::byte{0xa5});
  LosslessEncoder encoder;
  const auto length =
      encoder.encode(picture.rgb.data(), std::size_t{picture.width} * 3, picture.width, picture.rows, band);
  if (used != nullptr) *used = length;
  return band;
}

LosslessTable table_of(std::span<const std::byte> band, const Picture& picture, std::size_t at) {
  LosslessTable table;
  const auto used = lossless_used(band.data(), band.size());
  REQUIRE(table.read(band.subspan(at, lossless_table_bytes(picture.rows)), picture.width, picture.rows, used));
  return table;
}

}  // namespace

TEST_CASE("all pixels come back, and no band exceeds its memory") {
  truth::Random random(GENERATE(1U, 2U, 3U));
  LosslessDecoder decoder;
  for (int i = 0; i < 150; ++i) {
    const auto content = static_cast<Content>(random.below(4));
    const auto width = static_cast<unsigned>(random.between(1, random.once_in(10) ? 3000 : 90));
    const auto rows = static_cast<unsigned>(random.between(1, 70));
    CAPTURE(width, rows, static_cast<int>(content));
    const auto made = picture(content, width, rows, random);
    std::size_t used = 0;
    const auto band = encoded(made, &used);
    REQUIRE((used <= band.size() && used % 16 == 0));
    REQUIRE(lossless_used(band.data(), band.size()) == used);
    REQUIRE(std::all_of(band.begin() + static_cast<std::ptrdiff_t>(used), band.end(),
                        [](std::byte b) { return b == std::byte{}; }));
    auto decoded = made.rgb;
    std::ranges::fill(decoded, std::byte{0x5a});
    REQUIRE(decoder.decode_band(band, width, rows, decoded.data(), std::size_t{width} * 3));
    REQUIRE(decoded == made.rgb);
    REQUIRE(band == encoded(made));
  }
}

TEST_CASE("smooth pixels take a fraction, noise hardly more than itself") {
  truth::Random random(4);
  std::size_t used = 0;
  encoded(picture(Content::smooth, 1920, 270, random), &used);
  CHECK(used < std::size_t{1920} * 270);
  encoded(picture(Content::noise, 1920, 270, random), &used);
  CHECK(used < std::size_t{1920} * 270 * 3 * 1002 / 1000);
  encoded(picture(Content::flat, 1920, 270, random), &used);
  CHECK(used < std::size_t{1920} * 270 * 3 / 200);
}

TEST_CASE("either table finds all chunks, and each chunk is decoded by itself") {
  truth::Random random(5);
  for (const unsigned rows : {9U, 16U, 33U, 64U}) {
    const auto made = picture(Content::mixed, 101, rows, random);
    std::size_t used = 0;
    const auto band = encoded(made, &used);
    const auto first = table_of(band, made, 0), second = table_of(band, made, lossless_second_table(rows, used));
    REQUIRE(first.chunks().size() == lossless_chunks(rows));
    REQUIRE(second.chunks().size() == lossless_chunks(rows));
    LosslessDecoder decoder;
    for (std::size_t i = 0; i < first.chunks().size(); ++i) {
      const auto& chunk = second.chunks()[i];
      REQUIRE((chunk.offset == first.chunks()[i].offset && chunk.bytes == first.chunks()[i].bytes));
      const std::vector<std::byte> alone(band.begin() + static_cast<std::ptrdiff_t>(chunk.offset),
                                         band.begin() + static_cast<std::ptrdiff_t>(chunk.offset + chunk.bytes));
      std::vector<std::byte> decoded(std::size_t{101} * chunk.rows * 3);
      REQUIRE(decoder.decode(alone, 101, chunk.rows, decoded.data(), std::size_t{101} * 3));
      REQUIRE(std::memcmp(decoded.data(), made.rgb.data() + std::size_t{101} * 3 * chunk.first_row, decoded.size()) ==
              0);
    }
  }
  CHECK(lossless_second_table(8, 4096) == 0);  // a single chunk is complete or useless
}

TEST_CASE("what is not a band, a table or a chunk is refused, and nothing beside its rows is written") {
  truth::Random random(GENERATE(6U, 7U));
  LosslessDecoder decoder;
  for (int i = 0; i < 300; ++i) {
    const auto width = static_cast<unsigned>(random.between(1, 60)),
               rows = static_cast<unsigned>(random.between(1, 30));
    const auto made = picture(static_cast<Content>(random.below(4)), width, rows, random);
    auto band = encoded(made);
    for (std::size_t changes = random.between(1, 8); changes > 0; --changes)
      band[random.once_in(2) ? random.below(lossless_table_bytes(rows)) : random.below(band.size())] =
          static_cast<std::byte>(random.word());
    const std::size_t guard = 64, stride = std::size_t{width} * 3 + 5;
    std::vector<std::byte> around(guard * 2 + stride * rows, std::byte{0x11});
    (void)decoder.decode_band(band, width, rows, around.data() + guard, stride);
    for (std::size_t at = 0; at < around.size(); ++at) {
      const bool outside = at < guard || at >= guard + stride * rows || (at - guard) % stride >= std::size_t{width} * 3;
      if (outside) REQUIRE(around[at] == std::byte{0x11});
    }
  }
  const auto made = picture(Content::smooth, 64, 8, random);
  const auto band = encoded(made);
  const auto chunk = table_of(band, made, 0).chunks().front();
  std::vector<std::byte> rgb(std::size_t{64} * 8 * 3);
  for (std::size_t bytes = 0; bytes < chunk.bytes; ++bytes) {
    const std::vector<std::byte> cut(band.begin() + static_cast<std::ptrdiff_t>(chunk.offset),
                                     band.begin() + static_cast<std::ptrdiff_t>(chunk.offset + bytes));
    REQUIRE_FALSE(decoder.decode(cut, 64, 8, rgb.data(), 192));
  }
}
