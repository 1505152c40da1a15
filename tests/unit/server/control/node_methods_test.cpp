// Nodes connect, report, fall silent and leave; patterns and identify reach the right ones, also late ones.
#include "common/clock/kernel_clock.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "common/messages/node_tables.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Operator;
using lw::test::pump;
using lw::test::Service;
using namespace std::chrono_literals;

Json report_of_left() {
  return {{"node", "left"},
          {"time", "t"},
          {"interval_s", 0.1},
          {"flows", {{{"flow", 0U}, {"packets", 10}, {"lost", 1}}, {{"flow", 1U}, {"packets", 20}}}},
          {"tiles", {{{"tile", {0U, 0U}}, {"swaps", 4}, {"frame", 9}}}}};
}

Json stats_of(Service& service, const std::string& node) {
  const auto stats = service.call("stats")["result"];
  for (const auto& entry : stats["nodes"])
    if (entry["node"] == node) return entry;
  FAIL("no node " << node);
  return {};
}

// Sends reports, as a node does, until they are in the statistics.
void report_until_known(Service& service, Operator& node, const Json& report) {
  node.notify("node.report", report);
  REQUIRE(pump(service.io, [&] { return stats_of(service, "left").contains("report"); }));
}

}  // namespace

TEST_CASE("a node is known from hello to the end of its connection") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  CHECK(stats_of(service, "left")["connected"] == false);
  auto node = service.open_node("left");
  const auto joined = desk->wait_for_event("node-joined");
  CHECK(joined["severity"] == "info");
  CHECK(joined["node"] == "left");
  report_until_known(service, *node, report_of_left());
  auto entry = stats_of(service, "left");
  CHECK(entry["connected"] == true);
  CHECK(entry["report"] == report_of_left());
  CHECK(entry["age_s"].get<double>() < 1);
  node.reset();
  CHECK(desk->wait_for_event("node-lost")["severity"] == "warning");
  REQUIRE(pump(service.io, [&] { return stats_of(service, "left")["connected"] == false; }));
  entry = stats_of(service, "left");
  CHECK_FALSE(entry.contains("report"));
  CHECK_FALSE(entry.contains("age_s"));
}

TEST_CASE("a node with another wall file is reported") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  auto hello = Service::hello("left");
  hello["settings"] = "columns=2;mtu=1500";
  const auto node = service.open();
  CHECK(node->call("node.hello", hello).contains("result"));
  const auto event = desk->wait_for_event("node-wall-differs");
  CHECK_THAT(event["text"].get<std::string>(), Catch::Contains("mtu is 1500 there and 9000 here"));
  CHECK(event["node"] == "left");
}

TEST_CASE("nodes get fades when they change, and those that connect later get them at once") {
  Service service;
  const auto node = service.open_node("left");
  const WallTime start{std::chrono::seconds{1000}};
  service.session.now.fades.add({start, start, start, start + std::chrono::seconds{1}});
  ++service.session.now.revision;
  const auto told = node->wait_for("node.fade");
  REQUIRE(told["fades"].size() == 1);
  CHECK(told["fades"][0]["start_us"] == 1'000'000'000);
  CHECK(told["fades"][0]["end_us"] == 1'001'000'000);
  CHECK(service.open_node("right")->wait_for("node.fade") == told);
  service.session.now.fades = {};
  ++service.session.now.revision;
  CHECK(node->wait_for("node.fade")["fades"].empty());
}

TEST_CASE("hello is refused with the reason") {
  Service service;
  const auto peer = service.open();
  const auto refused = [&](const char* member, const Json& value) {
    auto hello = Service::hello("left");
    hello[member] = value;
    const auto reply = peer->call("node.hello", hello);
    INFO(reply.dump());
    REQUIRE(reply.contains("error"));
    return reply["error"]["message"].get<std::string>();
  };
  CHECK_THAT(refused("node", "middle"), Catch::Contains("no node 'middle'") && Catch::Contains("wall file"));
  CHECK_THAT(refused("protocol", 2), Catch::Contains("protocol 2") && Catch::Contains("same version"));
  CHECK_THAT(refused("host", std::string(5000, 'h')), Catch::Contains("host"));
  CHECK_THAT(refused("pid", "one"), Catch::Contains("pid"));
  CHECK(stats_of(service, "left")["connected"] == false);
  CHECK(service.call("node.hello", Service::hello("left"))["error"]["code"] == rpc_code::cannot);  // no connection
}

TEST_CASE("the newer connection of a node replaces the older") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  const auto older = service.open_node("left");
  const auto newer = service.open_node("left");
  CHECK(desk->wait_for_event("node-replaced")["node"] == "left");
  // The older one receives the reason, and its end is not the node's.
  std::optional<lw::test::RawClient::Frame> frame;
  REQUIRE(pump(service.io, [&] { return (frame = older->raw().next_frame()) && frame->opcode == 8; }));
  CHECK_THAT(frame->payload, Catch::Contains("another connection"));
  older->raw().send_frame(frame->payload, 8);
  lw::test::pump_for(service.io, 100ms);
  CHECK(stats_of(service, "left")["connected"] == true);
  report_until_known(service, *newer, report_of_left());
}

TEST_CASE("a connection cannot be two nodes'") {
  Service service;
  auto peer = service.open_node("left");
  const auto reply = peer->call("node.hello", Service::hello("right"));
  REQUIRE(reply.contains("error"));
  CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains("left"));
  peer.reset();
  REQUIRE(pump(service.io, [&] { return stats_of(service, "left")["connected"] == false; }));
  CHECK(stats_of(service, "right")["connected"] == false);
  CHECK(service.call("pattern", {{"pattern", "grid"}}).contains("result"));  // reaches no node that has left
}

TEST_CASE("figures of other nodes' tiles are skipped") {
  Service service;
  const auto node = service.open_node("left");
  auto report = report_of_left();
  report["node"] = "right";
  report["flows"].push_back(report["flows"][0]);              // twice
  report["flows"].push_back({{"flow", 2U}, {"packets", 1}});  // of the other node
  report["flows"].push_back({{"flow", UINT32_MAX}, {"packets", 1}});
  report["tiles"].push_back({{"tile", {1U, 0U}}});
  report["tiles"].push_back({{"tile", {1023U, 0U}}});
  report_until_known(service, *node, report);
  CHECK(stats_of(service, "left")["report"] == report_of_left());
}

TEST_CASE("delays are reported only with a bound of the clocks' error") {
  Service service;
  auto hello = Service::hello("left");
  auto report = report_of_left();
  report["clock"] = {{"state", "system"}};
  for (const char* delay : {"delay_us_min", "delay_us_p50", "delay_us_p99"}) report["flows"][0][delay] = 300.0;
  const auto told = [&] {
    const auto peer = service.open();
    peer->call("node.hello", hello);
    report_until_known(service, *peer, report);
    return stats_of(service, "left")["report"];
  };
  SECTION("a node on another host whose clock nobody keeps") {
    hello["boot"] = "another";
    const auto left = told();
    CHECK_FALSE(left["clock"].contains("error_us"));
    CHECK_FALSE(left["flows"][0].contains("delay_us_min"));
    CHECK(left["flows"][0]["packets"] == 10);
  }
  SECTION("a node on the server's host has its clock") {
    hello["boot"] = boot_id();
    const auto left = told();
    CHECK(left["clock"]["error_us"] == 0.0);
    CHECK(left["flows"][0]["delay_us_p99"] == 300.0);
  }
  SECTION("a node that follows the server knows its error") {
    report["clock"] = {{"state", "kept"}, {"error_us", 55.5}, {"steps", 1}};
    const auto left = told();
    CHECK(left["clock"]["error_us"] == 55.5);
    CHECK(left["flows"][0]["delay_us_p99"] == 300.0);
    CHECK_THAT(service.control->metrics_text(),
               Catch::Contains("lambdawall_node_clock_error_seconds{node=\"left\"} 5.55e-05"));
  }
  SECTION("a node that waits for its clock") {
    report["clock"] = {{"state", "waiting"}};
    CHECK_FALSE(told()["flows"][0].contains("delay_us_p50"));
  }
}

TEST_CASE("the skew of frames is taken from what the nodes report, with the error of their clocks") {
  Service service;
  const auto left = service.open_node("left");
  const auto right = service.open_node("right");
  const auto kept_to = [](double error_us) { return Json{{"state", "kept"}, {"error_us", error_us}}; };
  const auto right_shows = [&](std::int64_t pts_us, const Json& clock) {
    right->notify("node.report", {{"flows", Json::array()},
                                  {"clock", clock},
                                  {"tiles", {{{"tile", {1U, 0U}}, {"presented", {{pts_us, 40.0}}}}}}});
  };
  right_shows(3'000'000, kept_to(25));
  auto report = report_of_left();
  report["clock"] = kept_to(10);
  report["tiles"][0]["presented"] = {{1'000'000, 10.0}, {2'000'000, 20.0}};
  report_until_known(service, *left, report);
  CHECK(service.call("stats")["result"]["wall"] == Json{{"frames_in_step", 0}, {"tiles_missing", 0}});
  right_shows(1'000'000, kept_to(25));
  REQUIRE(pump(service.io, [&] { return service.call("stats")["result"]["wall"]["frames_in_step"] == 1; }));
  CHECK(service.call("stats")["result"]["wall"]["skew_us_max"] == 30.0);
  CHECK(service.call("stats")["result"]["wall"]["skew_error_us"] == 35.0);
  CHECK(service.call("stats")["result"]["wall"]["tiles"] ==
        Json{{{"tile", {0, 0}}, {"skew_us", 0.0}}, {{"tile", {1, 0}}, {"skew_us", 30.0}}});
  CHECK_THAT(service.control->metrics_text(), Catch::Contains("lambdawall_tile_skew_seconds{tile=\"0,0\"} 0\n") &&
                                                  Catch::Contains("lambdawall_wall_skew_error_seconds{") &&
                                                  Catch::Contains("} 3.5e-05\n"));
  // A spread of clocks that are not compared is not a skew.
  right_shows(2'000'000, {{"state", "system"}, {"phc_offset_us", 1.0}});
  REQUIRE(pump(service.io, [&] { return service.call("stats")["result"]["wall"]["frames_in_step"] == 2; }));
  CHECK(service.call("stats")["result"]["wall"] == Json{{"frames_in_step", 2}, {"tiles_missing", 0}});
  CHECK_THAT(service.control->metrics_text(),
             !Catch::Contains("tile_skew_") && !Catch::Contains("skew_seconds_p50") && !Catch::Contains("skew_error_"));
}

TEST_CASE("reports from unknown sources and invalid reports are refused") {
  Service service;
  const auto stranger = service.open();
  CHECK(stranger->call("node.report", report_of_left())["error"]["code"] == rpc_code::cannot);
  const auto node = service.open_node("left");
  CHECK(node->call("node.report", {{"flows", 1}})["error"]["code"] == rpc_code::bad_params);
  CHECK(node->call("node.report", report_of_left()).contains("result"));
}

TEST_CASE("a node that falls silent is reported once, and again when it reports") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  const auto node = service.open_node("left");
  CHECK(desk->wait_for_event("node-silent")["node"] == "left");
  unsigned more = 0;
  for (const auto& message : desk->listen(300ms)) more += message["method"] == "event";
  CHECK(more == 0);
  node->notify("node.report", report_of_left());
  CHECK(desk->wait_for_event("node-reports")["node"] == "left");
}

TEST_CASE("a node that sends anything, but no reports, is not called silent") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  const auto node = service.open_node("left");
  for (int i = 0; i < 16; ++i) {
    node->notify("node.frames", {{"records", Json::array()}, {"dropped", 0}});
    for (const auto& message : desk->listen(100ms))
      if (message["method"] == "event") CHECK(message["params"]["code"] != "node-silent");
  }
}

TEST_CASE("patterns and identify reach the nodes of the tiles, now and when they connect later") {
  Service service;
  const auto left = service.open_node("left");
  CHECK(left->wait_for("node.pattern") ==
        Json{{"tile", {0, 0}}, {"pattern", "none"}, {"identify", false}, {"mark", false}});
  CHECK(service.call("pattern", {{"pattern", "grid"}})["result"] == Json::object());
  CHECK(left->wait_for("node.pattern")["pattern"] == "grid");
  CHECK(service.call("identify", {{"on", true}, {"tile", {1U, 0U}}}).contains("result"));
  CHECK(left->listen(50ms).empty());  // not its tile
  const auto right = service.open_node("right");
  CHECK(right->wait_for("node.pattern") ==
        Json{{"tile", {1, 0}}, {"pattern", "grid"}, {"identify", true}, {"mark", false}});
  CHECK(service.call("identify", {{"on", false}}).contains("result"));
  CHECK(right->wait_for("node.pattern")["identify"] == false);
  CHECK(service.call("mark", {{"on", true}}).contains("result"));
  CHECK(right->wait_for("node.pattern")["mark"] == true);
  // Every operator sees what is drawn.
  CHECK(service.call("state")["result"]["overlays"] ==
        Json{{{"tile", {0, 0}}, {"pattern", "grid"}, {"identify", false}, {"mark", true}},
             {{"tile", {1, 0}}, {"pattern", "grid"}, {"identify", false}, {"mark", true}}});
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  service.call("mark", {{"on", false}});
  service.call("pattern", {{"pattern", "none"}});
  CHECK(desk->wait_for("state")["overlays"].size() == 2);
  CHECK_FALSE(desk->wait_for("state").contains("overlays"));
  const auto nowhere = service.call("pattern", {{"pattern", "bar"}, {"tile", {2U, 0U}}});
  REQUIRE(nowhere.contains("error"));
  CHECK_THAT(nowhere["error"]["message"].get<std::string>(), Catch::Contains("[2, 0]") && Catch::Contains("2 columns"));
}

namespace {

// A node that sends its reports as tables.
struct TablesNode {
  std::unique_ptr<Operator> line;
  NodeTablesSender tables;
  NodeReport report;

  explicit TablesNode(Service& service) : line(service.open()) {
    const auto answer = line->call("node.hello", Service::hello("left"));
    REQUIRE(answer["result"]["tables"] == true);
    report = read_message<NodeReport>(report_of_left()).value();
    report.time = "t";
  }
  void send() { line->raw().send_frame(tables.message(report, true), 2); }
};

Json lost_of_left(Service& service) {
  const auto entry = stats_of(service, "left");
  return entry.contains("report") ? entry["report"]["flows"][0]["lost"] : Json();
}

}  // namespace

TEST_CASE("reports that come as tables are those of the node") {
  Service service;
  TablesNode node(service);
  node.send();
  REQUIRE(pump(service.io, [&] { return lost_of_left(service) == 1; }));
  CHECK(stats_of(service, "left")["report"] == report_of_left());
  node.report.flows[0].figures["lost"] = 5U;
  node.send();
  REQUIRE(pump(service.io, [&] { return lost_of_left(service) == 5; }));
}

TEST_CASE("after a message that was missed the server asks for a full report, and goes on with that") {
  Service service;
  TablesNode node(service);
  node.send();
  REQUIRE(pump(service.io, [&] { return lost_of_left(service) == 1; }));
  node.report.flows[0].figures["lost"] = 2U;
  [[maybe_unused]] const auto missed = node.tables.message(node.report, true);
  node.send();
  CHECK(node.line->wait_for("node.tables")["full"] == true);
  CHECK(lost_of_left(service) == 1);
  node.tables.begin_anew();
  node.send();
  REQUIRE(pump(service.io, [&] { return lost_of_left(service) == 2; }));
}

TEST_CASE("tables of a connection that did not say who it is change nothing") {
  Service service;
  const auto line = service.open();
  NodeTablesSender tables;
  line->raw().send_frame(tables.message(read_message<NodeReport>(report_of_left()).value(), true), 2);
  line->raw().send_frame("\x84\x00", 2);
  CHECK(line->call("info").contains("result"));
  CHECK_FALSE(stats_of(service, "left").contains("report"));
}
