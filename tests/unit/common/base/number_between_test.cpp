#include "common/base/number_between.h"

#include <catch2/catch.hpp>

using lw::number_between;

TEST_CASE("anything but a finite number within the bounds is refused, with the bounds") {
  const auto check = number_between(0.1, 600);
  for (const char* good : {"0.1", "1", "600", "6e2", "59.5"}) {
    INFO(good);
    CHECK(check(good).empty());
  }
  for (const char* bad : {"nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e-320", "1e-999", "1e999", "0", "-1",
                          "600.1", "", "1s", "0x10"}) {
    INFO(bad);
    CHECK_THAT(check(bad), Catch::EndsWith(" is not a number from 0.1 to 600"));
  }
  const auto rate = number_between(1e-6, 1000, true);
  CHECK(rate("0").empty());
  CHECK(rate("0.001").empty());
  CHECK_THAT(rate("1e-320"), Catch::EndsWith(" to 1000, or 0"));
}
