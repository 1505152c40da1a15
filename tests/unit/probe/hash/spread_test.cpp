#include "probe/hash/spread.h"

#include "common/wall/wall_file.h"

#include <catch2/catch.hpp>

#include <numeric>

namespace lw {
namespace {

// A hash that is plain to see: the receiver's port, half.
HashRule half_port_rule(unsigned members) {
  HashRule rule{"test", [](const FlowTuple& flow) { return std::uint32_t{flow.to.port()} / 2; }, {}, members};
  rule.table.resize(members);
  std::iota(rule.table.begin(), rule.table.end(), 0U);
  return rule;
}

TEST_CASE("flows are listed with their ports") {
  const auto flows = flows_of_lists("10.0.0.1:40000-40004/2,40100", "10.0.0.2:50000");
  REQUIRE(flows.has_value());
  REQUIRE(flows->size() == 4);
  CHECK((*flows)[2].from.text() == "10.0.0.1:40004");
  CHECK((*flows)[3].from.text() == "10.0.0.1:40100");
  CHECK((*flows)[3].to.text() == "10.0.0.2:50000");
  CHECK(flows_of_lists("10.0.0.1:1-3", "10.0.0.2:1-2").error().what.find("3 ports") != std::string::npos);
  CHECK_FALSE(flows_of_lists("10.0.0.1:1-3", "[::1]:1").has_value());
  for (const char* wrong : {"", "10.0.0.1", "10.0.0.1:", "10.0.0.1:5-2", "10.0.0.1:0", "10.0.0.1:1-3/0", "host:5",
                            "10.0.0.1:1,", "10.0.0.1:70000"})
    CHECK_FALSE(flows_of_lists(wrong, "10.0.0.2:1").has_value());
}

TEST_CASE("the flows of a wall are those that its server sends") {
  const auto wall = parse_wall(R"(
[wall]
name = "w"
columns = 2
rows = 1
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "a"
address = "10.0.1.1"
tiles = [{ column = 0, row = 0 }]
[[node]]
name = "b"
address = "10.0.1.2"
tiles = [{ column = 1, row = 0 }]
[[server]]
name = "s"
interfaces = ["10.0.0.1", "10.0.0.2"]
[streaming]
flows_per_tile = 2
base_port = 50000
source_port = 40000
)",
                               "w.toml");
  REQUIRE(wall.has_value());
  const auto flows = flows_of_wall(*wall, "", "");
  REQUIRE(flows.has_value());
  REQUIRE(flows->size() == 4);
  CHECK((*flows)[1].from.text() == "10.0.0.2:40002");
  CHECK((*flows)[1].to.text() == "10.0.1.1:50002");
  const auto second = flows_of_wall(*wall, "b", "10.9.9.9");
  REQUIRE(second->size() == 2);
  CHECK(second->front().from.text() == "10.9.9.9:40004");
  CHECK(flows_of_wall(*wall, "c", "").error().what.find("'c'") != std::string::npos);
}

TEST_CASE("flows are counted on each member, separately for each host") {
  auto flows = flows_of_lists("10.0.0.1:40000-40006/2", "10.0.0.2:50000,50004,50008,50002").value();
  const auto more = flows_of_lists("10.0.0.9:40000", "10.0.0.2:50002").value();
  flows.push_back(more.front());
  const auto spreads = spread_of(half_port_rule(2), flows);
  REQUIRE(spreads.size() == 2);
  CHECK(spreads[0].host == "10.0.0.1");
  CHECK(spreads[0].flows_on == std::vector<unsigned>{3, 1});
  CHECK(spreads[0].busiest() == 3);
  CHECK(spreads[0].even() == 2);
  CHECK_FALSE(spreads[0].is_even());
  CHECK(spreads[1].flows_on == std::vector<unsigned>{0, 1});
  CHECK(spreads[1].is_even());
}

TEST_CASE("the probability is computed correctly") {
  // Two flows on two links: both on one in half of the cases.
  CHECK(random_spread(2, 2).even_chance == Approx(0.5));
  CHECK(random_spread(2, 2).busiest_mean == Approx(1.5));
  // Four on four: 4! / 4^4 are all different. Of 256 cases, 180 have two on the busiest, 48 three, 4 four.
  CHECK(random_spread(4, 4).even_chance == Approx(24.0 / 256));
  CHECK(random_spread(4, 4).busiest_mean == Approx((24.0 * 1 + 180 * 2 + 48 * 3 + 4 * 4) / 256));
  CHECK(random_spread(8, 1).busiest_mean == Approx(8));
  CHECK(random_spread(8, 1).even_chance == Approx(1));
}

TEST_CASE("ports are found that spread flows evenly") {
  // Every fourth port: all on one of two members. Moving all of them does not help, other source ports do not matter.
  auto rule = half_port_rule(2);
  const auto stuck = flows_of_lists("10.0.0.1:40000-40006/2", "10.0.0.2:50000-50012/4").value();
  CHECK_FALSE(find_wall_ports(rule, stuck));

  // A hash with a carry: ports from 50030 on are spread, the present ones are not.
  rule.hash = [](const FlowTuple& flow) { return std::uint32_t{flow.to.port()} >= 50030 ? flow.to.port() / 2U : 0; };
  const auto flows = flows_of_lists("10.0.0.1:40000-40006/2", "10.0.0.2:50000-50006/2").value();
  const auto move = find_wall_ports(rule, flows);
  REQUIRE(move);
  CHECK(move->above_even == 0);
  CHECK(move->source_by == 0);
  CHECK(move->base_by == 28);  // 50028 stays on member 0, 50030 ... 50034 are on 1, 0, 1

  rule.hash = [](const FlowTuple& flow) { return std::uint32_t{flow.from.port()} / 4; };
  const auto ports = find_source_ports(rule, flows);
  CHECK(ports == std::vector<std::uint16_t>{40000, 40004, 40008, 40012});
  rule.uses_ports = false;
  CHECK(find_source_ports(rule, flows).empty());
}

}  // namespace
}  // namespace lw
