#include "common/messages/iso_time.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("times are ISO 8601 with milliseconds") {
  CHECK(to_iso8601(WallTime(std::chrono::milliseconds(1'769'860'800'123))) == "2026-01-31T12:00:00.123Z");
}
