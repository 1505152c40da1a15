// Pins that a number is the whole text, and fits its type.
#include "common/base/whole_number.h"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace lw;

TEST_CASE("a text is either a number or an error") {
  CHECK(whole_number<std::uint16_t>("0") == std::uint16_t{0});
  CHECK(whole_number<std::uint16_t>("65535") == std::uint16_t{65535});
  CHECK(whole_number<int>("-7") == -7);
  for (const auto* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "65536", "-1", "a"}) {
    INFO(text);
    CHECK_FALSE(whole_number<std::uint16_t>(text));
  }
}
