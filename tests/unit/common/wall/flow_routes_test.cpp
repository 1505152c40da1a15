#include "common/wall/flow_routes.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

// A node with one address and one with two, and a server with as many interfaces.
Wall two_nodes() {
  auto wall = parse_wall(R"(
[wall]
name = "w"
columns = 2
rows = 1
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "one"
address = "10.0.0.11"
tiles = [{ column = 0, row = 0 }]
[[node]]
name = "two"
address = "10.0.0.12"
second_address = "10.1.0.12"
tiles = [{ column = 1, row = 0 }]
[[server]]
name = "s"
interfaces = ["10.0.0.1", "10.1.0.1"]
[streaming]
flows_per_tile = 2
)",
                         "w.toml");
  REQUIRE(wall.has_value());
  return *wall;
}

using Routes = std::vector<FlowRoute>;

Routes routes(const Wall& wall, unsigned flow) { return routes_of(wall, wall.coordinator(), all_bands(wall)[flow]); }

TEST_CASE("flows to one address use the interfaces in turn") {
  auto wall = two_nodes();
  CHECK(routes(wall, 0) == Routes{{"10.0.0.1", "10.0.0.11"}});
  CHECK(routes(wall, 1) == Routes{{"10.1.0.1", "10.0.0.11"}});
  wall.coordinator().interfaces.clear();
  CHECK(routes(wall, 1) == Routes{{"", "10.0.0.11"}});
}

TEST_CASE("each flow to two addresses uses the interface of each network") {
  auto wall = two_nodes();
  const Routes both{{"10.0.0.1", "10.0.0.12"}, {"10.1.0.1", "10.1.0.12"}};
  CHECK(routes(wall, 2) == both);
  CHECK(routes(wall, 3) == both);
  CHECK(second_route(wall, all_bands(wall)[3]) == both[1]);
  wall.coordinator().interfaces.pop_back();
  CHECK(routes(wall, 3) == Routes{{"10.0.0.1", "10.0.0.12"}, {"10.0.0.1", "10.1.0.12"}});
}

TEST_CASE("a server and its hot standby use one network each") {
  auto wall = two_nodes();
  auto standby = wall.servers[0];
  standby.name = "t";
  standby.standby_for = "s";
  standby.standby = Standby::hot;
  wall.servers.push_back(standby);
  const auto band = all_bands(wall)[3];
  CHECK(routes_of(wall, wall.servers[0], band) == Routes{{"10.0.0.1", "10.0.0.12"}});
  CHECK(routes_of(wall, wall.servers[1], band) == Routes{{"10.1.0.1", "10.1.0.12"}});
  CHECK(second_route(wall, band) == FlowRoute{"10.1.0.1", "10.1.0.12"});
  CHECK(paths_to(wall, band.tile) == 2);
}

TEST_CASE("packets of a server and its cold standby are accepted at the same time") {
  auto wall = two_nodes();
  const auto one_address = all_bands(wall)[0].tile, two_addresses = all_bands(wall)[3].tile;
  CHECK(paths_to(wall, one_address) == 1);
  CHECK(paths_to(wall, two_addresses) == 2);
  auto standby = wall.servers[0];
  standby.name = "t";
  standby.standby_for = "s";
  standby.standby = Standby::cold;
  wall.servers.push_back(standby);
  CHECK(paths_to(wall, one_address) == 2);
  CHECK(paths_to(wall, two_addresses) == 4);
}

}  // namespace
}  // namespace lw
