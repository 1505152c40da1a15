#include "ingest/shards.h"

#include <catch2/catch.hpp>

#include <fstream>

#include "tests/support/store_folder.h"

TEST_CASE("a shard is a number of a count") {
  const auto shard = lw::parse_shard("2/4");
  REQUIRE(shard.has_value());
  CHECK(shard->number == 2);
  CHECK(shard->count == 4);
  for (const char* wrong :
       {"", "2", "/", "2/", "/4", "0/4", "5/4", "-1/4", "2/4x", "2 / 4", "1/10001", "1/99999999999"})
    CHECK(lw::parse_shard(wrong).has_error());
}

TEST_CASE("shards share the frames without gap or overlap, and the last goes to the end") {
  for (const std::uint32_t total : {0U, 1U, 3U, 4U, 100U, 101U, 4'000'000'000U})
    for (const unsigned count : {1U, 2U, 3U, 4U, 7U, 100U}) {
      std::uint32_t next = 0;
      for (unsigned number = 1; number <= count; ++number) {
        const auto range = lw::frames_of({number, count}, total);
        CHECK(range.begin == next);
        CHECK(range.end >= range.begin);
        if (number < count) CHECK(range.end - range.begin <= total / count + 1);
        next = range.end;
      }
      CHECK(next == std::numeric_limits<std::uint32_t>::max());
    }
}

TEST_CASE("a folder knows which import its shards are of") {
  const StoreFolder folder;
  CHECK(lw::shards_in(folder.path, "film|\xff")->has_value() == false);
  REQUIRE(lw::note_shards(folder.path, "film|\xff", 4).has_value());
  CHECK(lw::shards_in(folder.path, "film|\xff")->value() == 4);
  CHECK_FALSE(lw::shards_in(folder.path, "another")->has_value());
  for (const char* damaged : {"", "{", "[]", R"({"shards": 4})", R"({"recipe": 1, "shards": 4})"}) {
    std::ofstream(folder.path / "shards.json") << damaged;
    CHECK_FALSE(lw::shards_in(folder.path, "film|\xff")->has_value());
  }
}

TEST_CASE("one process imports a shard at a time") {
  const StoreFolder folder;
  {
    const auto first = lw::lock_shard(folder.path, {1, 2});
    REQUIRE(first.has_value());
    CHECK(lw::lock_shard(folder.path, {1, 2}).has_error());
    CHECK(lw::lock_shard(folder.path, {2, 2}).has_value());
  }
  CHECK(lw::lock_shard(folder.path, {1, 2}).has_value());
}
