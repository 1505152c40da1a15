#include "common/base/short_text.h"

#include <catch2/catch.hpp>

using lw::short_text;

TEST_CASE("a text is cut between its characters, and marked as cut") {
  CHECK(short_text("", 8).empty());
  CHECK(short_text("12345678", 8) == "12345678");
  CHECK(short_text("123456789", 8) == "12345...");
  CHECK(short_text("1234\u00e9678", 8) == "1234...");  // the fifth byte is the first of two
  CHECK(short_text("12345678", 4) == "1...");
}
