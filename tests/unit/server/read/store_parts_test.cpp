// Stores that hold different tiles of one visualization have one digest, those of other editions another.
#include "common/store/checksum.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "server/read/open_store.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t frames = 3;
constexpr const char* id = "0123456789abcdef0123456789abcdef";

struct Edition {
  ChecksumTable checksums{frames, 2, {1, 2, 3, 4, 5, 6}};
  StoreFolder folder;

  // A store of 2x1 tiles that holds some of them.
  std::shared_ptr<const OpenStore> part(const std::string& name, std::vector<TileIndex> tiles) const {
    Manifest m;
    m.title = name;
    m.id = std::string(id).replace(0, 1, name.substr(0, 1));
    m.geometry = {2, 1, 64, 40, 0, 0};
    m.frame_rate = {60, 1};
    m.frame_count = frames;
    m.stripes = {"."};
    m.checksums = "checksums.npy";
    m.tiles = std::move(tiles);
    const StripeLayout layout(m);
    const auto path = folder.path / name;
    fs::create_directories(path);
    for (TileIndex tile; tile.value < 2; ++tile.value) {
      if (!m.holds(tile)) continue;
      const auto file = stripe_file(path, m, 0, tile);
      std::ofstream(file) << npy_header({frames, 40, 192, layout.record_bytes(tile) - layout.frame_bytes(tile)});
      fs::resize_file(file, layout.file_bytes(0, tile));
    }
    REQUIRE(save_checksums(checksums, path / m.checksums).has_value());
    std::ofstream(path / manifest_file_name) << to_json_text(m);
    const auto store = OpenStore::open(path);
    REQUIRE(store.has_value());
    return *store;
  }
};

TEST_CASE("the parts of a visualization and a complete store of it have the same digest") {
  const Edition edition;
  const auto left = edition.part("a", {{0}}), right = edition.part("b", {{1}}), complete = edition.part("c", {});
  CHECK(left->digest() == right->digest());
  CHECK(left->digest() == complete->digest());
  CHECK(left->descriptors()[0] >= 0);
  CHECK(left->descriptors()[1] < 0);
  CHECK(right->locate(1, {1}).fd >= 0);
}

TEST_CASE("parts of another edition have another digest, even if their own frames are the same") {
  const Edition edition;
  Edition other;
  other.checksums.values[3] = 7;  // of the right tile
  CHECK(edition.part("a", {{0}})->digest() != other.part("a", {{0}})->digest());
  CHECK(edition.part("b", {{1}})->digest() != other.part("b", {{1}})->digest());
}

TEST_CASE("parts whose checksums cannot be read match no other store") {
  Edition damaged;
  damaged.checksums.values.pop_back();  // shorter than its header says
  const auto left = damaged.part("a", {{0}}), right = damaged.part("b", {{1}});
  CHECK(left->digest() != right->digest());
  CHECK(left->digest() != Edition().part("a", {{0}})->digest());
}

}  // namespace
}  // namespace lw
