// The info reply is read as it was written; a wall with tiles that no node shows is an error.
#include "common/messages/info.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

namespace {

InfoReply full_info() {
  InfoReply info{"wall-server", "0.1.0", 1, "gpu1", VisitorInfo{"desk", "operate"}, {}, {"info", "list"}};
  info.wall.name = "two";
  info.wall.columns = 2;
  info.wall.tile_width = 640;
  info.wall.tile_height = 400;
  info.wall.frame_rate = "29.97";
  info.wall.nodes = {{"left", "10.0.0.1", {{0, 0}}}, {"right", "10.0.0.2", {{1, 0}}}};
  info.wall.flows = {{0, {0, 0}, "left", 0, 400, 50'000}, {1, {1, 0}, "right", 0, 400, 50'002}};
  info.wall.sites = {{"near", "232.1.1.1", false, {}, 200, 25, {{"one", "10.1.0.2", {{0, 0}, {1, 0}}}}},
                     {"far", "10.3.0.1", true, "232.1.2.1", 250, 10, {{"all", "10.3.0.2", {{0, 0}, {1, 0}}}}}};
  return info;
}

}  // namespace

TEST_CASE("the info reply is read as it was written") {
  const auto json = to_json(full_info());
  CHECK(read_message<InfoReply>(json).value() == full_info());
  CHECK(json["wall"]["nodes"][1] == Json{{"name", "right"}, {"address", "10.0.0.2"}, {"tiles", {{1, 0}}}});
  CHECK(json["wall"]["sites"][1]["group"] == "232.1.2.1");
  CHECK_FALSE(json["wall"]["sites"][0].contains("group"));
  auto alone = full_info();
  alone.wall.sites.clear();
  CHECK_FALSE(to_json(alone)["wall"].contains("sites"));
}

TEST_CASE("the protocol is read from the info of any version") {
  CHECK(read_message<ProtocolReply>({{"protocol", 7}, {"walls", 5}}).value().protocol == 7);
  CHECK(read_message<ProtocolReply>(Json::object()).value().protocol == 0);
  CHECK(read_message<ProtocolReply>({{"protocol", "new"}}).value().protocol == 0);
}

TEST_CASE("tiles that are described one by one are as many as columns") {
  auto info = full_info();
  info.wall.tiles = {{"left", 0, 10, 640, 400, 0}, {"right", 700, 0, 400, 640, 90}};
  const auto json = to_json(info);
  CHECK(json["wall"]["tiles"][1] ==
        Json{{"name", "right"}, {"x", 700}, {"y", 0}, {"width", 400}, {"height", 640}, {"rotation", 90}});
  CHECK(read_message<InfoReply>(json).value() == info);
  CHECK_FALSE(to_json(full_info())["wall"].contains("tiles"));
  auto more = info;
  more.wall.tiles.push_back({"third", 2000, 0, 640, 400, 0});
  CHECK(problem_with<InfoReply>(json, "/wall/tiles", to_json(more)["wall"]["tiles"]) ==
        "wall: 3 tiles are not 2 columns in 1 rows");
}

TEST_CASE("errors in the info reply are named") {
  const auto json = to_json(full_info());
  CHECK(problem_without<InfoReply>(json, "/wall") == "wall is missing");
  CHECK(problem_with<InfoReply>(json, "/wall/columns", 513) == "wall: columns must be a whole number from 1 to 512");
  CHECK(problem_with<InfoReply>(json, "/wall/rows", 2) == "wall: no node has the tile [0, 1]");
  CHECK(problem_with<InfoReply>(json, "/wall/nodes/0/tiles/1", {2, 0}) == "wall: the wall has no tile [2, 0]");
}
