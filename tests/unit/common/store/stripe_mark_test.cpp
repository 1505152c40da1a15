#include "common/store/stripe_mark.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("a stripe's mark is read as it was written; any other text is an error") {
  const StripeMark mark{std::string(32, 'a'), "/ssd1/waves", 3};
  const auto read = parse_stripe_mark(to_json_text(mark));
  REQUIRE(read.has_value());
  CHECK(*read == mark);
  for (const auto* text :
       {"", "[]", "{}", "null", R"({"version": 2, "store": "", "home": "", "stripe": 0})",
        R"({"version": 1, "store": "xyz", "home": "/", "stripe": 0})",
        R"({"version": 1, "store": 5, "home": "/", "stripe": 0})",
        R"({"version": 1, "store": "0123456789abcdef0123456789abcdef", "home": "/", "stripe": -1})",
        R"({"version": 1, "store": "0123456789abcdef0123456789abcdef", "home": "/", "stripe": 4294967296})",
        R"({"version": 1, "store": "0123456789abcdef0123456789abcdef", "stripe": 1})"}) {
    INFO(text);
    CHECK(parse_stripe_mark(text).has_error());
  }
}
