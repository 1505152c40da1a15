#include "ingest/frame_tiles.h"

#include <algorithm>
#include <catch2/catch.hpp>

TEST_CASE("each tile of a frame has its own record, aligned and padded with zeros") {
  lw::Manifest manifest;
  manifest.geometry = {3, 2, 50, 31, 0, 0};
  manifest.stripes = {"."};
  const lw::StripeLayout layout(manifest);
  auto frame = lw::FrameTiles::allocate(layout, 6);
  REQUIRE(frame.has_value());
  REQUIRE(frame->size() == 6);
  for (lw::TileIndex tile; tile.value < 6; ++tile.value) {
    std::ranges::fill(frame->pixels(tile), std::byte{1});
    frame->sum(tile) = tile.value;
  }
  for (lw::TileIndex tile; tile.value < 6; ++tile.value) {
    const auto record = frame->record(tile);
    CHECK(reinterpret_cast<std::uintptr_t>(record.data()) % lw::store_alignment == 0);
    CHECK(record.size() == layout.record_bytes(tile));
    const auto pixels = frame->pixels(tile);
    CHECK(pixels.data() == record.data());
    CHECK(pixels.size() == 50 * 31 * 3);
    CHECK(std::ranges::all_of(record.subspan(pixels.size()), [](std::byte value) { return value == std::byte{0}; }));
    CHECK(frame->sum(tile) == tile.value);
  }
}
