// Frame records, reported by all hosts, are kept and delivered in pieces; flights are joined from both ends.
#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "common/messages/frame_records.h"
#include "server/control/flight_watch.h"
#include "server/control/frame_history.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Operator;
using lw::test::pump;
using lw::test::Service;
using namespace std::chrono_literals;

// Of a received frame, the packet sent first also arrives first.
FrameRecord record(FrameStep step, unsigned part, WallTime media_time, Nanoseconds first, Nanoseconds second) {
  FrameRecord record;
  record.media_time = media_time;
  record.times = {media_time + first, media_time + second};
  if (step == FrameStep::received) record.times[2] = record.times[0];
  record.part = static_cast<std::uint16_t>(part);
  record.step = step;
  return record;
}

// Calls with a clock whose error bound is 5 us.
void report(Operator& node) {
  const Json params{
      {"flows", Json::array()}, {"tiles", Json::array()}, {"clock", {{"state", "kept"}, {"error_us", 5.0}}}};
  REQUIRE(node.call("node.report", params).contains("result"));
}

}  // namespace

TEST_CASE("a history keeps the newest records under their original numbers") {
  FrameHistory history;
  const WallTime start{1000s};
  for (std::uint32_t i = 0; i < FrameHistory::records_kept + 10; ++i) {
    FrameRecord record;
    record.media_time = start + std::chrono::milliseconds{i};
    record.frame = i;
    history.add(record);
  }
  CHECK(history.first() == 10);
  CHECK(history.next() == FrameHistory::records_kept + 10);
  CHECK(history.at(10).frame == 10);
  CHECK(history.since(start) == 10);
  CHECK(history.since(start + 500ms) == 500);
  CHECK(history.since(start + 1h) == history.next());
}

TEST_CASE("a flight lasts from the departure of a frame's first packet to its arrival") {
  FlightWatch watch;
  const WallTime media{1000s};
  watch.received(record(FrameStep::received, 0, media, 5ms, 9ms));  // its sending is unknown
  CHECK(watch.flight_us().empty());
  auto sent = record(FrameStep::sent, 0, media, -90ms, 1ms);
  watch.sent(sent);
  watch.received(record(FrameStep::received, 0, media + 33ms, 5ms, 9ms));
  CHECK(watch.flight_us().empty());
  watch.received(record(FrameStep::received, 0, media, 5ms, 9ms));
  CHECK(watch.flight_us().quantile(0.5) == 4000.0);
  sent = record(FrameStep::sent, 0, media + 66ms, -90ms, 0ms);
  sent.times[1] = WallTime{};  // missing
  watch.sent(sent);
  watch.received(record(FrameStep::received, 0, media + 66ms, 5ms, 9ms));
  CHECK(watch.flight_us().quantile(1) == 4000.0);
  watch.clear();
  CHECK(watch.flight_us().empty());
}

TEST_CASE("loss and reordering are not flight") {
  FlightWatch watch;
  const WallTime media{1000s};
  const auto frame = [&](int number) { return media + number * 40ms; };
  for (int i = 0; i < 4; ++i) watch.sent(record(FrameStep::sent, 0, frame(i), -90ms, 0ms));
  auto lost = record(FrameStep::received, 0, frame(0), 25ms, 30ms);  // a later packet arrived first
  lost.times[2] = WallTime{};
  watch.received(lost);
  CHECK(watch.flight_us().empty());
  CHECK(read_histograms(watch.histograms())[0].counts == TimeHistogram::Reading{}.counts);
  auto overtaken = record(FrameStep::received, 0, frame(1), 3ms, 30ms);
  overtaken.times[2] = frame(1) + 7ms;
  watch.received(overtaken);
  CHECK(watch.flight_us().quantile(1) == 7000.0);
  watch.received(record(FrameStep::received, 0, frame(2), 1ms, 20ms));
  CHECK(watch.flight_us().quantile(0) == 1000.0);
  CHECK(watch.flight_us().quantile(1) == 7000.0);
}

TEST_CASE("operators get the records of all hosts, and flights become figures") {
  Service service;
  const auto node = service.open_node("left");
  report(*node);
  const auto media = WallClock::now();
  service.session.records = {record(FrameStep::read, 0, media, -100ms, -99ms),
                             record(FrameStep::sent, 1, media, -99ms, 1ms)};
  const auto received = record(FrameStep::received, 1, media, 3ms, 20ms);
  const auto foreign = record(FrameStep::received, 2, media, 3ms, 20ms);  // a flow of the other node
  const auto not_theirs = record(FrameStep::sent, 1, media, 0ms, 1ms);    // only the server may report it
  const auto shown = record(FrameStep::shown, 0, media, 20ms, 21ms);
  Json list = Json::array();
  for (const auto& entry : {received, foreign, not_theirs, shown})
    list.push_back(to_json(message_of(entry, service.wall)));
  CHECK(node->call("node.frames", {{"records", list}, {"dropped", 7}}).contains("result"));

  const auto trace = service.call("trace")["result"];
  REQUIRE(trace["records"].size() == 4);
  for (const auto& [index, step] : {std::pair{0, "read"}, {1, "sent"}, {2, "received"}, {3, "shown"}})
    CHECK(trace["records"][index]["step"] == step);
  CHECK(trace["records"][2]["flow"] == 1);
  CHECK(trace["records"][2]["times_ns"] == Json{3'000'000, 20'000'000, 3'000'000});
  CHECK(trace["next"] == 4);
  CHECK(trace["missed"] == 0);
  CHECK(trace["more"] == false);
  CHECK(trace["hosts"][0] == Json{{"role", "server"}, {"name", "s"}, {"dropped", 3}});
  CHECK(trace["hosts"][1] == Json{{"role", "node"}, {"name", "left"}, {"dropped", 7}, {"clock_error_us", 5.0}});
  CHECK(trace["hosts"].size() == 2);  // the other is not connected

  REQUIRE(pump(service.io, [&] { return service.call("stats")["result"]["wall"].contains("flows"); }));
  CHECK(service.call("stats")["result"]["wall"]["flows"] ==
        Json::array({{{"flow", 1}, {"flight_us_p50", 2000.0}, {"flight_us_p99", 2000.0}}}));
  CHECK_THAT(service.control->metrics_text(),
             Catch::Contains("\nlambdawall_flow_flight_seconds_p50{flow=\"1\"} 0.002\n"));
}

TEST_CASE("flights are not reported if the clocks are not known to be synchronized") {
  Service service;
  const auto node = service.open_node("left");
  const auto media = WallClock::now();
  service.session.records = {record(FrameStep::sent, 1, media, -99ms, 1ms)};
  const auto list = Json::array({to_json(message_of(record(FrameStep::received, 1, media, 3ms, 20ms), service.wall))});
  CHECK(node->call("node.frames", {{"records", list}, {"dropped", 0}}).contains("result"));
  lw::test::pump_for(service.io, 200ms);
  CHECK_FALSE(service.call("stats")["result"]["wall"].contains("flows"));
  CHECK_FALSE(service.call("trace")["result"]["hosts"][1].contains("clock_error_us"));
}

TEST_CASE("records are delivered in pieces, each once") {
  Service service;
  const auto media = WallClock::now() - 5200s;
  const auto fill = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      service.session.records.push_back(record(FrameStep::sent, 0, media + std::chrono::seconds{i}, 0ms, 1ms));
  };
  fill(frame_records_max + 100);
  const auto first = service.call("trace")["result"];
  CHECK(first["records"].size() == frame_records_max);
  CHECK(first["more"] == true);
  const auto second = service.call("trace", {{"after", first["next"]}})["result"];
  CHECK(second["records"].size() == 100);
  CHECK(second["more"] == false);
  CHECK(second["records"][0]["media_ns"] > first["records"].back()["media_ns"]);
  CHECK(service.call("trace", {{"after", second["next"]}})["result"]["records"].empty());
  CHECK(service.call("trace", {{"after", 1'000'000'000}})["result"]["next"] == second["next"]);
  // Of the last half hour only: frames are a second apart, the newest 1000 s old.
  const auto recent = service.call("trace", {{"seconds", 2000}})["result"]["records"];
  CHECK(recent.size() < 1010);
  CHECK(recent.size() > 900);
  fill(FrameHistory::records_kept);
  const auto late = service.call("trace", {{"after", first["next"]}})["result"];
  CHECK(late["missed"] == 100);
  for (const Json& wrong : {Json{{"seconds", -1}}, Json{{"after", -1}}, Json{{"after", "x"}}})
    CHECK(service.call("trace", wrong)["error"]["code"] == rpc_code::bad_params);
}

TEST_CASE("only nodes send frame records, which must have the right form") {
  Service service;
  CHECK(service.call("node.frames", {{"records", Json::array()}, {"dropped", 0}})["error"]["code"] == rpc_code::cannot);
  const auto node = service.open_node("left");
  for (const Json& wrong : {Json{{"records", 1}, {"dropped", 0}}, Json{{"dropped", 0}},
                            Json{{"records", Json::array({1})}, {"dropped", 0}}, Json{{"records", Json::array()}}})
    CHECK(node->call("node.frames", wrong)["error"]["code"] == rpc_code::bad_params);
}
