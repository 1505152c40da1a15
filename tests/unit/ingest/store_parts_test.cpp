#include "ingest/store_parts.h"

#include <catch2/catch.hpp>

#include "common/store/store_files.h"
#include "ingest/verify.h"
#include "tests/support/store_folder.h"

namespace {

lw::Manifest part_of(unsigned tile) {
  lw::Manifest m;
  m.name = m.title = "waves";
  m.geometry = {2, 1, 10, 3, 0, 0};
  m.frame_rate = {30, 1};
  m.tiles = {{tile}};
  return m;
}

std::vector<std::byte> pixels_of(std::uint32_t frame, unsigned tile) {
  return std::vector<std::byte>(90, static_cast<std::byte>(frame * 2 + tile + 1));
}

void write_frames(auto& store, std::uint32_t until) {
  while (store.frames() < until) {
    const auto frame = store.frames();
    for (unsigned tile = 0; tile < 2; ++tile) {
      const auto pixels = pixels_of(frame, tile);
      REQUIRE(store.write_tile({tile}, pixels, lw::checksum(pixels)).has_value());
    }
    REQUIRE(store.end_frame().has_value());
  }
}

}  // namespace

TEST_CASE("parts that stopped at different frames continue together, and take no frame twice") {
  const StoreFolder left, right;
  const auto begin = [](const StoreFolder& folder, unsigned tile) {
    return lw::StoreWriter::begin(part_of(tile), {folder.path}, "r", false).value();
  };
  {
    auto ahead = begin(left, 0);
    write_frames(*ahead, 4);
    REQUIRE(ahead->interrupt().has_value());
    auto behind = begin(right, 1);
    write_frames(*behind, 1);
    REQUIRE(behind->interrupt().has_value());
  }
  lw::StoreParts parts;
  parts.add(begin(left, 0));
  parts.add(begin(right, 1));
  CHECK(parts.resumed_frames() == 1);
  CHECK(parts.frame_bytes() == 2 * 90);
  write_frames(parts, 6);
  REQUIRE(parts.each([](lw::StoreWriter& part) { return part.finish(part.manifest()); }).has_value());
  for (const auto* folder : {&left, &right}) {
    const auto store = lw::load_store(folder->path / "waves");
    REQUIRE(store.has_value());
    CHECK(store->frame_count == 6);
    CHECK(lw::verify(folder->path / "waves", true, false)->damaged == 0);
  }
}

TEST_CASE("the parts after one that fails keep their frames") {
  const StoreFolder left, right;
  const auto begin = [](const StoreFolder& folder, unsigned tile) {
    return lw::StoreWriter::begin(part_of(tile), {folder.path}, "r", false).value();
  };
  {
    lw::StoreParts parts;
    parts.add(begin(left, 0));
    parts.add(begin(right, 1));
    write_frames(parts, 3);
    CHECK(parts.each([](lw::StoreWriter&) -> lw::Result<void> { return lw::Error{"full", ""}; }).has_error());
  }
  CHECK(begin(left, 0)->resumed_frames() == 0);
  CHECK(begin(right, 1)->resumed_frames() == 3);
}
