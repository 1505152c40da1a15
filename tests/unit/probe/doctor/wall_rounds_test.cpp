#include "probe/doctor/wall_rounds.h"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

using namespace lw;

namespace {

Wall three_nodes() {
  Wall wall;
  wall.coordinator().name = "sara";
  wall.coordinator().interfaces = {"10.0.0.1", "10.0.1.1"};
  wall.nodes = {{"left", "10.0.0.2", {}}, {"middle", "10.0.0.1", {}}, {"right", "10.0.0.2", {}}};
  return wall;
}

}  // namespace

TEST_CASE("entries with the same address are one host, and the server comes first") {
  const auto hosts = hosts_of(three_nodes());
  REQUIRE(hosts.size() == 2);
  CHECK(hosts[0].address == "10.0.0.1");
  CHECK(hosts[0].parts.server == "sara");
  CHECK(hosts[0].parts.nodes == std::vector<std::string>{"middle"});
  CHECK(hosts[1].parts.server.empty());
  CHECK(hosts[1].parts.nodes == std::vector<std::string>{"left", "right"});
}

TEST_CASE("a server without interfaces is at the address of its control plane") {
  auto wall = three_nodes();
  wall.coordinator().interfaces.clear();
  wall.coordinator().control_host = "10.0.0.9";
  CHECK(hosts_of(wall).front().address == "10.0.0.9");
}

TEST_CASE("an invalid request for an examination is answered with the reason") {
  const auto refused = [](const nlohmann::json& params, const char* words) {
    const auto answer = answer_doctor(params);
    REQUIRE_FALSE(answer.has_value());
    CHECK_THAT(answer.error().text(), Catch::Contains(words));
  };
  refused({{"server", true}}, "wall");
  refused({{"wall", ""}, {"server", "yes"}}, "server");
  refused({{"wall", "[wall]\nname = 3\n"}, {"server", true}}, "the wall file");
}
