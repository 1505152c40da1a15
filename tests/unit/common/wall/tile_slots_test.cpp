// Law: a tile's pixels survive the way into their slots and back, within the same memory, whatever the sizes.
#include "common/wall/tile_slots.h"

#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace lw;

TEST_CASE("pixels that open up into slots close up to what they were") {
  truth::Random random(GENERATE(1U, 2U, 3U));
  for (int i = 0; i < 100; ++i) {
    const auto format = all_pixel_formats[random.below(all_pixel_formats.size())];
    const auto width = static_cast<unsigned>((format == PixelFormat::rgb10 ? 4 : 2) * random.between(2, 200));
    const auto height = static_cast<unsigned>(random.between(info(format).group_rows, 60));
    const auto bands = static_cast<unsigned>(random.between(1, std::min(height / info(format).group_rows, 4U)));
    CAPTURE(info(format).name, width, height, bands);
    const auto tile = TileSlots::of(format, width, height, bands, 64 * random.between(8, 30));
    REQUIRE(tile);
    REQUIRE(tile->frame_bytes() == frame_bytes(format, width, height));
    std::vector<std::byte> pixels(tile->frame_bytes());
    for (auto& byte : pixels) byte = static_cast<std::byte>(random.below(256));
    std::vector<std::byte> memory(tile->memory_bytes(), std::byte{0xee});
    std::ranges::copy(pixels, memory.end() - static_cast<std::ptrdiff_t>(pixels.size()));
    tile->open_up(memory.data());
    std::size_t zeros = memory.size();
    for (const auto& band : tile->bands()) {
      std::vector<std::byte> got(band.slots.frame_bytes());
      band.slots.copy_out(memory.data() + band.memory, 0, got.size(), got.data());
      REQUIRE(std::equal(got.begin(), got.end(), pixels.begin() + static_cast<std::ptrdiff_t>(band.pixels)));
      zeros -= got.size();
    }
    // Nothing is left between the pixels.
    auto cleared = memory;
    for (const auto& band : tile->bands())
      band.slots.for_each_piece(0, band.slots.frame_bytes(), [&](std::size_t, std::size_t place, std::size_t bytes) {
        const auto from = cleared.begin() + static_cast<std::ptrdiff_t>(band.memory + place);
        std::fill(from, from + static_cast<std::ptrdiff_t>(bytes), std::byte{1});
      });
    REQUIRE(static_cast<std::size_t>(std::ranges::count(cleared, std::byte{0})) == zeros);
    tile->close_up(memory.data());
    REQUIRE(std::equal(pixels.begin(), pixels.end(), memory.begin()));
  }
}
