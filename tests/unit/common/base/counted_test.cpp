#include "common/base/counted.h"

#include <catch2/catch.hpp>

using lw::counted;

TEST_CASE("one thing has no plural") {
  CHECK(counted(1, "frame") == "1 frame");
  CHECK(counted(0, "frame") == "0 frames");
  CHECK(counted(UINT64_MAX, "packet") == "18446744073709551615 packets");
}
