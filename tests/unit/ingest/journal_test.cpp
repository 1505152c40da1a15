#include "ingest/journal.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/store_folder.h"

using Checksums = std::vector<std::uint64_t>;

TEST_CASE("a journal returns its last record, to the same recipe only") {
  const StoreFolder folder;
  lw::Journal first(folder.path, "film.mov|caf\xe9", 2);
  CHECK_FALSE(first.resume());
  const Checksums all{1, 2, 3, 4, 5, 6};
  REQUIRE(first.record({all.data(), 2}).has_value());
  REQUIRE(first.record({all.data(), 6}).has_value());
  CHECK(lw::Journal(folder.path, "film.mov|caf\xe9", 2).resume() == all);
  CHECK_FALSE(lw::Journal(folder.path, "other.mov", 2).resume());
}

TEST_CASE("a resumed journal continues, even after checksums that no journal named") {
  const StoreFolder folder;
  REQUIRE(lw::Journal(folder.path, "r", 1).record(Checksums{1, 2}).has_value());
  std::ofstream(folder.path / "journal.checksums", std::ios::app) << "cut off wh";
  lw::Journal again(folder.path, "r", 1);
  CHECK(again.resume() == Checksums{1, 2});
  REQUIRE(again.record(Checksums{1, 2, 3}).has_value());
  CHECK(lw::Journal(folder.path, "r", 1).resume() == Checksums{1, 2, 3});
}

TEST_CASE("a damaged journal is ignored") {
  const StoreFolder folder;
  REQUIRE(lw::Journal(folder.path, "r", 1).record(Checksums{1, 2}).has_value());
  SECTION("too few checksums") { std::filesystem::resize_file(folder.path / "journal.checksums", 15); }
  SECTION("half a state") { std::filesystem::resize_file(folder.path / "journal.json", 5); }
  SECTION("no number of frames") { std::ofstream(folder.path / "journal.json") << R"({"recipe":"r","frames":-2})"; }
  CHECK_FALSE(lw::Journal(folder.path, "r", 1).resume());
}

TEST_CASE("a journal leaves nothing behind, and reports where it cannot be written") {
  const StoreFolder folder;
  lw::Journal journal(folder.path, "r", 1);
  REQUIRE(journal.record(Checksums{1}).has_value());
  journal.remove();
  CHECK(std::filesystem::is_empty(folder.path));
  CHECK(lw::Journal(folder.path / "absent", "r", 1).record(Checksums{1}).has_error());
}
