#include "common/store/playing_file.h"

#include <catch2/catch.hpp>

TEST_CASE("a record of what plays is read as it was written, and anything else is refused") {
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{123'207'680}, UINT64_MAX}) {
    const auto record = lw::playing_record(bytes);
    CHECK(record.size() == lw::playing_record_bytes);
    CHECK(lw::parse_playing_record(record) == bytes);
  }
  for (const char* text : {"", "lambdawall ", "lambdawall bytes/s ", "lambdawall bytes/s -1", "lambdawall bytes/s 12x",
                           "lambdawall bytes/s 99999999999999999999999", "somebody bytes/s 12"})
    CHECK_FALSE(lw::parse_playing_record(text));
  CHECK(lw::parse_playing_record("lambdawall pid 1 bytes/s 12") == 12);
}
