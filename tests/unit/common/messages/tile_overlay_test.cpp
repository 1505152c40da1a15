// Overlays of tiles, as operators request them and as nodes receive them.
#include "common/messages/tile_overlay.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

TEST_CASE("overlays and requests for them come back as they were written") {
  const TileOverlay overlay{{1, 0}, Pattern::ramp, true, true};
  CHECK(read_message<TileOverlay>(to_json(overlay)).value() == overlay);
  const SwitchRequest one{true, GridCell{0, 1}};
  CHECK(read_message<SwitchRequest>(to_json(one)).value() == one);
  const PatternRequest all{Pattern::black, {}};
  CHECK(read_message<PatternRequest>(to_json(all)).value() == all);
  CHECK(to_json(all) == Json{{"pattern", "black"}});
}

TEST_CASE("a tile is a column and a row, a pattern one of a list") {
  CHECK(problem_of<SwitchRequest>({{"on", true}, {"tile", {0}}}) == "tile must be [column, row]");
  CHECK(problem_of<SwitchRequest>({{"on", 1}}) == "on must be true or false");
  CHECK(problem_of<PatternRequest>({{"pattern", "plaid"}}) ==
        "pattern must be none, identify, grid, bar, ramp or black");
  CHECK(problem_of<TileOverlay>({{"pattern", "grid"}}) == "tile is missing");
}
