#include "common/store/stripe_layout.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <tuple>

namespace {

lw::Manifest manifest_of(unsigned stripes, std::uint32_t frames, unsigned width = 64, unsigned height = 64) {
  lw::Manifest manifest;
  manifest.geometry = {3, 2, width, height, 0, 0};
  manifest.frame_count = frames;
  for (unsigned i = 0; i < stripes; ++i) manifest.stripes.emplace_back("/disk" + std::to_string(i));
  return manifest;
}

}  // namespace

TEST_CASE("a frame is padded to the alignment, unless it is a multiple of it") {
  const lw::StripeLayout whole(manifest_of(1, 1, 64, 64));  // 12288 bytes = 3 * 4096
  CHECK(whole.frame_bytes({}) == 12'288);
  CHECK(whole.record_bytes({}) == 12'288);
  const lw::StripeLayout padded(manifest_of(1, 1, 322, 202));
  CHECK(padded.frame_bytes({5}) == 322 * 202 * 3);
  CHECK(padded.record_bytes({5}) == 196'608);
  CHECK(padded.record_bytes({5}) % lw::store_alignment == 0);
}

TEST_CASE("frames that lie as packets take their blocks") {
  auto manifest = manifest_of(2, 9, 640, 400);
  manifest.packets = 1408;
  manifest.bands = 2;
  const lw::StripeLayout layout(manifest);
  REQUIRE(layout.slots({}) != nullptr);
  CHECK(layout.frame_bytes({}) == 640 * 400 * 3);
  CHECK(layout.record_bytes({}) == 2 * 7 * 65'536);  // 284 packets of 1356 bytes a band
  CHECK(layout.stored_bytes_max() == layout.record_bytes({}));
  CHECK(layout.locate(3, {1}).offset == 4096 + layout.record_bytes({}));
}

TEST_CASE("a frame of all tiles is the sum of its tiles") {
  const lw::StripeLayout layout(manifest_of(1, 1, 322, 202));
  CHECK(layout.frame_bytes_max() == layout.frame_bytes({0}));
  CHECK(layout.record_bytes_max() == layout.record_bytes({0}));
  CHECK(layout.frame_bytes_in_all() == std::uint64_t{6} * 322 * 202 * 3);
  CHECK(layout.record_bytes_held() == std::uint64_t{6} * 196'608);
}

TEST_CASE("frame f of tile t lies in stripe (f + t) mod D as record f / D") {
  const lw::StripeLayout layout(manifest_of(3, 100));
  const auto where = layout.locate(7, {4});
  CHECK(where.stripe == (7 + 4) % 3);
  CHECK(where.record == 7 / 3);
  CHECK(where.offset == 4096 + 2 * 12'288);
}

TEST_CASE("every frame of every tile has its own place, and files are exactly as long as their records") {
  for (const unsigned stripes : {1U, 2U, 3U, 5U}) {
    for (const std::uint32_t frames : {1U, 2U, 4U, 17U}) {
      CAPTURE(stripes, frames);
      const lw::StripeLayout layout(manifest_of(stripes, frames));
      std::set<std::tuple<unsigned, unsigned, std::uint64_t>> places;
      std::map<std::pair<unsigned, unsigned>, std::uint64_t> ends;  // of a stripe's file of a tile
      for (std::uint32_t frame = 0; frame < frames; ++frame) {
        for (unsigned tile = 0; tile < 6; ++tile) {
          const auto where = layout.locate(frame, {tile});
          CHECK(where.stripe < stripes);
          CHECK(places.emplace(where.stripe, tile, where.record).second);
          auto& end = ends[{where.stripe, tile}];
          end = std::max(end, where.offset + layout.record_bytes({tile}));
        }
      }
      for (unsigned stripe = 0; stripe < stripes; ++stripe)
        for (unsigned tile = 0; tile < 6; ++tile)
          CHECK(layout.file_bytes(stripe, {tile}) ==
                std::max<std::uint64_t>(ends[{stripe, tile}], layout.header_bytes()));
    }
  }
}

TEST_CASE("at every moment the disks share the tiles evenly") {
  const lw::StripeLayout layout(manifest_of(3, 30));
  for (std::uint32_t frame = 0; frame < 30; ++frame) {
    std::map<unsigned, int> load;
    for (unsigned tile = 0; tile < 6; ++tile) ++load[layout.locate(frame, {tile}).stripe];
    for (const auto& [stripe, tiles] : load) CHECK(tiles == 2);
  }
}

TEST_CASE("offsets beyond 32 bits are correct") {
  const lw::StripeLayout layout(manifest_of(1, 2'000'000'000, 64, 64));
  CHECK(layout.locate(1'999'999'999, {}).offset == 4096 + 1'999'999'999ULL * 12'288);
}

TEST_CASE("relative stripe directories are relative to the visualization's folder") {
  auto manifest = manifest_of(2, 1);
  manifest.stripes[0] = ".";
  CHECK(lw::stripe_file("/content/waves", manifest, 0, {5}).lexically_normal() == "/content/waves/tile-2-1.npy");
  CHECK(lw::stripe_file("/content/waves", manifest, 1, {}) == "/disk1/tile-0-0.npy");
}

TEST_CASE("the copies of a stripe's files are on another disk, and each disk has those of one other") {
  for (const unsigned stripes : {2U, 3U, 7U}) {
    lw::Manifest m;
    m.geometry = {2, 1, 64, 40, 0, 0};
    m.frame_count = 20;
    m.stripes.resize(stripes);
    m.copies = 2;
    const lw::StripeLayout layout(m);
    std::uint64_t in_files = 0;
    std::uint64_t in_directories = 0;
    std::vector<unsigned> copies(stripes, 0);
    for (unsigned stripe = 0; stripe < stripes; ++stripe) {
      CHECK(layout.directory_of(stripe, 0) == stripe);
      CHECK(layout.directory_of(stripe, 1) != stripe);
      ++copies[layout.directory_of(stripe, 1)];
      for (unsigned tile = 0; tile < 2; ++tile) in_files += 2 * layout.file_bytes(stripe, {tile});
      for (unsigned tile = 0; tile < 2; ++tile) in_directories += layout.directory_bytes(stripe, {tile});
    }
    CHECK(copies == std::vector<unsigned>(stripes, 1));
    CHECK(in_directories == in_files);
  }
  lw::Manifest m;
  m.geometry = {3, 2, 64, 40, 0, 0};
  CHECK(lw::stripe_file_name(m, {5}) == "tile-2-1.npy");
  CHECK(lw::stripe_file_name(m, {5}, 1) == "tile-2-1.copy.npy");
}
