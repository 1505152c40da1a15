#include "common/wall/names.h"

#include "common/wall/wall_file.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

TEST_CASE("names of nodes and servers are listed in one format") {
  Wall wall;
  wall.nodes.resize(2);
  wall.nodes[0].name = "left";
  wall.nodes[1].name = "right";
  wall.servers.resize(1);
  wall.servers[0].name = "main";
  CHECK(names_of(wall.nodes) == "left, right");
  CHECK(names_of(wall.servers) == "main");
  CHECK(names_of(std::vector<WallNode>{}).empty());
}

}  // namespace
}  // namespace lw
