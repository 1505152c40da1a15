// Facts about hosts: the server's own, and those that nodes report about theirs.
#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::Service;

Json small_machine() {
  return {{"name", "gpu1"},
          {"topology", {{"cores", {{{"package", 0U}, {"cpus", {0U, 1U}}}}}, {"numa_nodes", Json::array()}}},
          {"interfaces", Json::array()},
          {"disks", Json::array()}};
}

}  // namespace

TEST_CASE("machines lists the server's host and the facts that each node reported") {
  Service service;
  auto left = service.open_node("left");
  auto told = small_machine();
  told["more"] = 1;
  left->notify("node.machine", told);
  const auto of_left = [&] { return service.call("machines")["result"]["machines"][1]; };
  REQUIRE(pump(service.io, [&] { return of_left().contains("machine"); }));
  CHECK(of_left() == Json{{"role", "node"}, {"name", "left"}, {"machine", small_machine()}});
  const auto result = service.call("machines")["result"];
  REQUIRE(result["machines"].size() == 3);
  CHECK(result["machines"][0]["role"] == "server");
  CHECK_FALSE(result["machines"][0]["machine"]["topology"]["cores"].empty());
  CHECK(result["machines"][2] == Json{{"role", "node"}, {"name", "right"}});
  REQUIRE(result["flows"].size() == 4);
  CHECK(result["flows"][3]["arrives_at"] == "127.0.0.1");
  left.reset();
  CHECK(pump(service.io, [&] { return !of_left().contains("machine"); }));  // another host may take its name next
}

TEST_CASE("all flows of a node in two networks leave by the first network's interface") {
  Service service;
  service.wall.coordinator().interfaces = {"127.0.0.1", "127.0.1.1"};
  service.wall.nodes[0].second_address = "127.0.1.2";
  const auto flows = service.call("machines")["result"]["flows"];
  REQUIRE(flows.size() == 4);
  CHECK(flows[1]["leaves_by"] == "127.0.0.1");
  CHECK(flows[3]["leaves_by"] == "127.0.1.1");  // of the other node: interfaces in turn
}

TEST_CASE("facts from unknown sources and invalid facts are refused") {
  Service service;
  const auto stranger = service.open();
  CHECK(stranger->call("node.machine", small_machine())["error"]["code"] == rpc_code::cannot);
  const auto left = service.open_node("left");
  CHECK(left->call("node.machine", {{"topology", 5}})["error"]["code"] == rpc_code::bad_params);
}
