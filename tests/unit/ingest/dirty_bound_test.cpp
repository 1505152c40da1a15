#include "ingest/dirty_bound.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

namespace {

using Range = lw::DirtyBound::Range;

// Counts dirty data like a kernel that writes nothing by itself.
class CountingDisk final : public lw::DirtyBound::Disk {
public:
  void dirty(const Range& range) { dirty_bytes += range.bytes; }
  int begin_write_out(const Range& range) override {
    begun[{range.file, range.offset}] = range.bytes;
    return 0;
  }
  int finish_write_out(const Range& range) override {
    const auto found = begun.find({range.file, range.offset});
    REQUIRE(found != begun.end());  // once each, and begun before
    CHECK(found->second == range.bytes);
    begun.erase(found);
    dirty_bytes -= range.bytes;
    ++waits;
    return 0;
  }

  std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t> begun;
  std::uint64_t dirty_bytes = 0;
  unsigned waits = 0;
};

}  // namespace

TEST_CASE("there is never more dirty data than the bound, whatever is written where") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto files = static_cast<unsigned>(1 + random() % 100);
    std::uint64_t bound = 4096 * (1 + random() % 500);
    lw::DirtyBound dirty(files, bound);
    CountingDisk disk;
    std::vector<std::uint64_t> ends(files);
    std::uint64_t written = 0;
    for (unsigned i = 0; i < 2000; ++i) {
      if (random() % 500 == 0) dirty.set_bound(bound = 4096 * (1 + random() % 500));
      const auto file = static_cast<unsigned>(random() % files);
      if (random() % 20 == 0) ends[file] += 4096 * (1 + random() % 5);  // a hole
      const Range range{file, ends[file], 4096 * (1 + random() % 60)};
      ends[file] += range.bytes;
      written += range.bytes;
      disk.dirty(range);
      REQUIRE(dirty.wrote(range, disk) == 0);
      REQUIRE(disk.dirty_bytes <= bound);
      REQUIRE(disk.dirty_bytes == dirty.dirty_bytes());
    }
    CAPTURE(seed, files, bound);
    CHECK(disk.waits <= 2000);
  }
}

TEST_CASE("small records go to the disk in larger pieces") {
  lw::DirtyBound dirty(64, 4 << 20);
  CountingDisk disk;
  for (std::uint64_t frame = 0; frame < 1000; ++frame)
    for (unsigned tile = 0; tile < 64; ++tile) {
      const Range range{tile, 4096 * (frame + 1), 4096};
      disk.dirty(range);
      REQUIRE(dirty.wrote(range, disk) == 0);
    }
  CHECK(disk.waits < 64'000 / 8);
}

TEST_CASE("an error of the disk is returned to the writer") {
  class FailingDisk final : public lw::DirtyBound::Disk {
    int begin_write_out(const Range& /*range*/) override { return 0; }
    int finish_write_out(const Range& /*range*/) override { return 5; }
  } disk;
  lw::DirtyBound dirty(1, 8192);
  CHECK(dirty.wrote({0, 0, 8192}, disk) == 0);
  CHECK(dirty.wrote({0, 8192, 4096}, disk) == 5);
}
