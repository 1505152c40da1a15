// Flows are moved while they play: those of the server by the session, those of a node by a message to it; and back.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::Service;

Json report_with(unsigned cpu) {
  return {{"node", "left"},
          {"flows", {{{"flow", 0}, {"receiving", true}, {"cpu", cpu}}, {{"flow", 1}, {"receiving", true}, {"cpu", 1}}}},
          {"tiles", Json::array()}};
}

Json flows_of_left(Service& service) {
  const auto placement = service.call("placement")["result"];
  for (const auto& node : placement["nodes"])
    if (node["node"] == "left") return node["flows"];
  return {};
}

}  // namespace

TEST_CASE("the server's flows are moved, and back to their planned CPUs") {
  Service service;
  const Json planned{
      {{"flow", 0}, {"cpu", 2}, {"planned", 2}}, {{"flow", 1}, {"cpu", 3}, {"planned", 3}}, {{"flow", 2}}};
  CHECK(service.call("placement")["result"]["server"] == planned);
  CHECK(service.call("place", {{"flows", {{{"flow", 0}, {"cpu", 5}}}}}).contains("result"));
  CHECK(service.session.calls.back() == "move 0 to 5");
  CHECK(service.call("placement")["result"]["server"][0] == Json{{"flow", 0}, {"cpu", 5}, {"planned", 2}});
  service.session.calls.clear();
  CHECK(service.call("place", {{"planned", true}}).contains("result"));
  CHECK(service.session.calls == std::vector<std::string>{"move 0 to 2", "move 1 to 3", "move 2"});
  CHECK(service.call("placement")["result"]["server"] == planned);
}

TEST_CASE("either all flows are moved, or none") {
  Service service;
  const auto before = service.call("placement")["result"];
  service.session.forbidden_cpu = 9;
  const Json flows{{{"flow", 0}, {"cpu", 5}}, {{"flow", 2}, {"cpu", 4}}, {{"flow", 1}, {"cpu", 9}}};
  CHECK(service.call("place", {{"flows", flows}}).contains("error"));
  CHECK(service.call("placement")["result"] == before);
}

TEST_CASE("a node is asked to move its flows, and reports its placement") {
  Service service;
  const auto node = service.open_node("left");
  node->notify("node.report", report_with(0));
  REQUIRE(pump(service.io, [&] { return flows_of_left(service).size() == 2; }));
  CHECK(flows_of_left(service)[0] == Json{{"flow", 0}, {"cpu", 0}, {"planned", 0}});
  const Json wanted{{{"flow", 0}, {"cpu", 7}}};
  CHECK(service.call("place", {{"node", "left"}, {"flows", wanted}}).contains("result"));
  CHECK(node->wait_for("node.place") == Json{{"flows", wanted}});
  node->notify("node.report", report_with(7));
  REQUIRE(pump(service.io, [&] { return flows_of_left(service)[0]["cpu"] == 7; }));
  CHECK(flows_of_left(service)[0]["planned"] == 0);
  service.call("place", {{"node", "left"}, {"planned", true}});
  CHECK(node->wait_for("node.place")["flows"] == Json{{{"flow", 0}, {"cpu", 0}}, {{"flow", 1}, {"cpu", 1}}});
}

TEST_CASE("impossible moves are refused with the reason") {
  Service service;
  const auto refused = [&](const Json& params) {
    const auto reply = service.call("place", params);
    INFO(reply.dump());
    REQUIRE(reply.contains("error"));
    return reply["error"]["message"].get<std::string>();
  };
  const Json some{{{"flow", 0}, {"cpu", 1}}};
  CHECK_THAT(refused(Json::object()), Catch::Contains("either"));
  CHECK_THAT(refused({{"planned", true}, {"flows", some}}), Catch::Contains("either"));
  CHECK_THAT(refused({{"flows", {{{"flow", 0}}}}}), Catch::Contains("number 1") && Catch::Contains("cpu"));
  CHECK_THAT(refused({{"flows", {{{"flow", 0}, {"cpu", -1}}}}}), Catch::Contains("cpu"));
  CHECK_THAT(refused({{"node", "middle"}, {"flows", some}}), Catch::Contains("no node 'middle'"));
  CHECK_THAT(refused({{"node", "left"}, {"flows", some}}), Catch::Contains("not connected"));
  const auto node = service.open_node("left");
  CHECK_THAT(refused({{"node", "left"}, {"flows", some}}), Catch::Contains("no flow 0"));
  node->notify("node.machine", {{"topology", {{"cores", Json::array({{{"cpus", {0, 1}}}})}}}});
  node->notify("node.report", report_with(0));
  REQUIRE(pump(service.io, [&] { return flows_of_left(service).size() == 2; }));
  CHECK_THAT(refused({{"node", "left"}, {"flows", {{{"flow", 0}, {"cpu", 9}}}}}), Catch::Contains("no CPU 9"));
  CHECK_THAT(refused({{"node", "left"}, {"flows", {{{"flow", 2}, {"cpu", 1}}}}}), Catch::Contains("no flow 2"));
  service.session.refuse = Error{"this process may not run on CPU 1", "name another"};
  CHECK_THAT(refused({{"flows", some}}), Catch::Contains("may not run"));
}
