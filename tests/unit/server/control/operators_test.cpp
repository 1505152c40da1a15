// Subscribers: all operators see one state, newcomers see what happened, and nobody gets what they did not ask for.
#include <catch2/catch.hpp>

#include <map>
#include <string>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::Service;
using namespace std::chrono_literals;

std::map<std::string, unsigned> count(const std::deque<Json>& messages) {
  std::map<std::string, unsigned> counts;
  for (const auto& message : messages) ++counts[message["method"].get<std::string>()];
  return counts;
}

}  // namespace

TEST_CASE("every operator hears what the others do") {
  Service service;
  const auto one = service.open();
  const auto two = service.open();
  CHECK(one->call("subscribe")["result"]["state"]["status"] == "stopped");
  two->call("subscribe");
  CHECK(two->call("load", {{"name", "a"}})["result"]["status"] == "playing");
  CHECK(one->wait_for("state")["name"] == "a");
  CHECK(two->wait_for("state")["name"] == "a");
  CHECK(one->call("pause")["result"]["status"] == "paused");
  CHECK(two->wait_for("state")["status"] == "paused");
}

TEST_CASE("a change that nobody requested is also reported") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  service.session.now.status = PlayStatus::paused;  // came to its end
  ++service.session.now.revision;
  CHECK(desk->wait_for("state")["status"] == "paused");
  CHECK(count(desk->listen(700ms)).empty());  // and only once
}

TEST_CASE("while playing, the state is sent twice and statistics ten times a second; the session is polled") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe");
  service.session.now.status = PlayStatus::playing;
  const auto polls = service.session.polls;
  auto counts = count(desk->listen(2s));
  CHECK(counts["state"] >= 2);
  CHECK(counts["state"] <= 5);
  CHECK(counts["stats"] >= 8);  // 20 unless the machine is very busy
  CHECK(counts["stats"] <= 22);
  CHECK(service.session.polls - polls > 30);
}

TEST_CASE("subscribers get what they asked for; others nothing") {
  Service service;
  const auto quiet = service.open();
  quiet->call("subscribe", {{"stats", false}, {"events", false}});
  const auto desk = service.open();
  desk->call("subscribe");
  service.control->on_event({Severity::warning, "read-late", "slow", TileIndex{1}, 2U});
  const auto event = desk->wait_for("event");
  CHECK(event["code"] == "read-late");
  CHECK(event["severity"] == "warning");
  CHECK(event["tile"] == Json{1, 0});
  CHECK(event["flow"] == 2);
  CHECK(event["seq"] == 1);
  CHECK(count(quiet->listen(300ms)).empty());
  service.call("load", {{"name", "a"}});
  CHECK(quiet->wait_for("state")["name"] == "a");
  CHECK(quiet->call("unsubscribe")["result"] == Json::object());
  service.call("pause");
  CHECK(count(quiet->listen(300ms)).empty());
}

TEST_CASE("a newcomer gets the last 200 events in order") {
  Service service;
  for (int i = 1; i <= 250; ++i)
    service.control->on_event(
        {Severity::info, "kind-" + std::to_string(i), "event " + std::to_string(i), {}, {}});  // of one kind fewer
  const auto desk = service.open();
  const auto events = desk->call("subscribe")["result"]["events"];
  REQUIRE(events.size() == 200);
  CHECK(events.front()["seq"] == 51);
  CHECK(events.back()["text"] == "event 250");
}

TEST_CASE("garbage and oversized messages do not disturb the others") {
  Service service;
  const auto desk = service.open();
  desk->call("subscribe", {{"stats", false}});
  const auto rude = service.open();
  rude->raw().send_frame("\x01\x02 nonsense");
  CHECK(Json::parse(rude->raw().message())["error"]["code"] == rpc_code::parse_error);
  rude->raw().send_frame(std::string(100'000, '['));
  CHECK(Json::parse(rude->raw().message())["error"]["code"] == rpc_code::invalid_request);
  CHECK(rude->call(std::string(10'000, 'm'))["error"]["message"].get<std::string>().size() < 200);
  rude->raw().send_frame(std::string(rpc_bytes_max + 1, ' '));
  CHECK(rude->raw().closes());
  CHECK(desk->call("load", {{"name", "a"}}).contains("result"));
  CHECK(desk->wait_for("state")["name"] == "a");
}

TEST_CASE("a subscriber that disconnects is removed") {
  Service service;
  {
    const auto desk = service.open();
    desk->call("subscribe");
  }
  lw::test::pump_for(service.io, 50ms);
  CHECK(service.call("load", {{"name", "a"}}).contains("result"));
  lw::test::pump_for(service.io, 150ms);
  CHECK(service.call("subscribe")["error"]["code"] == rpc_code::cannot);  // without a connection
}

TEST_CASE("addresses that are in use or open to everybody are refused with a fix") {
  Service service;
  boost::asio::io_context io;
  auto wall = service.wall;
  const auto start = [&] {
    const auto started = ControlService::start(io, wall, wall.coordinator(), service.library, service.session, {});
    REQUIRE_FALSE(started.has_value());
    return started.error().text();
  };
  CHECK_THAT(start(), Catch::Contains("is in use") && Catch::Contains("stop the other server"));
  for (const char* host : {"0.0.0.0", "192.0.2.1", "::"}) {
    wall.coordinator().control_host = host;
    CHECK_THAT(start(), Catch::Contains(host) && Catch::Contains("--state"));
  }
}
