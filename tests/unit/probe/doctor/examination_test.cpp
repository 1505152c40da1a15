// Pins for which parts of a wall a host is examined, when they are named.
#include "probe/doctor/examination.h"

#include "tests/support/source_folder.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a host is examined as a node of a site, for the wall that the site shows") {
  const auto wall = load_wall(test::source_folder() / "walls/sites-2x1.toml").value();
  const auto there = examine(wall, {"", {"amsterdam-right"}}, {});
  REQUIRE(there.has_value());
  CHECK(there->patient.nodes == std::vector<std::string>{"amsterdam-right"});
  CHECK(there->patient.wall->streaming.playout_delay == 200ms);
  const auto home = examine(wall, {"", {"home"}}, {});
  REQUIRE(home.has_value());
  CHECK(home->patient.wall->streaming.playout_delay == 100ms);
  const auto nobody = examine(wall, {"", {"rome"}}, {});
  REQUIRE_FALSE(nobody.has_value());
  CHECK(nobody.error().what == "the wall has no node 'rome'");
}
