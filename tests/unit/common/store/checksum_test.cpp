#include "common/store/checksum.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

#include "tests/support/store_folder.h"

TEST_CASE("checksums are XXH3-64 with seed 0") {
  CHECK(lw::checksum({}) == 0x2d06800538d394c2ULL);  // of an empty input, as printed by xxhsum -H3
  const std::string text = "lambda";
  auto changed = text;
  changed[3] ^= 1;
  CHECK(lw::checksum(std::as_bytes(std::span(text))) != lw::checksum(std::as_bytes(std::span(changed))));
}

static lw::Result<lw::ChecksumTable> load(const StoreFolder& folder) {
  const auto open = lw::open_folder(folder.path, "");
  return lw::load_checksums({open->get(), folder.path, ""}, "checksums.npy");
}

TEST_CASE("a checksum table is read back as written") {
  const StoreFolder folder;
  const lw::ChecksumTable table{3, 2, {1, 2, 0xfedcba9876543210ULL, 4, 5, 6}};
  REQUIRE(lw::save_checksums(table, folder.path / "checksums.npy").has_value());
  const auto read = load(folder);
  REQUIRE(read.has_value());
  CHECK(read->frames == 3);
  CHECK(read->tiles == 2);
  CHECK(read->values == table.values);
  CHECK(read->at(1, 0) == 0xfedcba9876543210ULL);
}

TEST_CASE("a checksum table that is missing, cut off or of another kind is refused") {
  const StoreFolder folder;
  const auto file = folder.path / "checksums.npy";
  CHECK(load(folder).has_error());
  REQUIRE(lw::save_checksums({3, 2, {1, 2, 3, 4, 5, 6}}, file).has_value());
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const auto cut = load(folder);
  REQUIRE(cut.has_error());
  CHECK(cut.error().what.find("shorter") != std::string::npos);
  std::ofstream(file) << "text";
  CHECK(load(folder).has_error());
}

TEST_CASE("a checksum table that cannot be written is an error") {
  CHECK(lw::save_checksums({1, 1, {1}}, "/nowhere/checksums.npy").has_error());
}
