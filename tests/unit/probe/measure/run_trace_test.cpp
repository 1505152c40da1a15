#include "probe/measure/run_trace.h"

#include "common/messages/frame_records.h"
#include "probe/loads/udp_load.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

LoadSpec two_flows(const char* direction) {
  const Json load{{"flows", 2}, {"gbit_per_s", 0.1}, {"trace", true}, {"direction", direction}};
  return parse_run({{"loads", Json::array({load})}})->loads.front();
}

Json told(const LoadSpec& load, FrameStep step, unsigned flow, WallTime media_time) {
  FrameRecord record;
  record.step = step;
  record.part = static_cast<std::uint16_t>(flow);
  record.media_time = media_time;
  record.times = {media_time, media_time + 1ms};
  return {{"sends", step == FrameStep::sent},
          {"records", Json::array({to_json(message_of(record, udp_wall(load, {})))})},
          {"dropped", step == FrameStep::sent ? 0 : 3}};
}

Json hosts(double sender_error_us, double receiver_error_us) {
  return {{"hosts",
           {{"client", {{"name", "a"}, {"boot_id", "1"}, {"clock_error_us", sender_error_us}}},
            {"server", {{"name", "b"}, {"boot_id", "2"}, {"clock_error_us", receiver_error_us}}}}}};
}

constexpr WallTime start{1'000'000s};

}  // namespace

TEST_CASE("both sides' frames become one trace, with the sender as its server") {
  for (const auto* direction : {"forward", "reverse"}) {
    const auto load = two_flows(direction);
    RunTrace frames(load);
    REQUIRE(frames.add(told(load, FrameStep::sent, 0, start)).has_value());
    REQUIRE(frames.add(told(load, FrameStep::received, 1, start + 20ms)).has_value());
    const auto trace = frames.finish(hosts(30, 12.5));
    REQUIRE(trace.has_value());
    const bool forward = load.direction == Direction::forward;
    CHECK(trace->wall.coordinator().name == (forward ? "a" : "b"));
    CHECK(trace->wall.nodes.front().name == (forward ? "b" : "a"));
    CHECK(trace->records.size() == 2);
    CHECK(trace->begin == start);
    CHECK(trace->end > start + 20ms);
    CHECK(trace->hosts.back().clock_error_us.front().second == 42.5);
    CHECK(trace->hosts.front().dropped == 0);
    CHECK(trace->hosts.back().dropped == 3);
  }
}

TEST_CASE("two hosts' clocks count as synchronized only if they are one kernel's, or both are kept") {
  const auto load = two_flows("forward");
  const auto error_with = [&](const Json& result) {
    RunTrace frames(load);
    REQUIRE(frames.add(told(load, FrameStep::sent, 0, start)).has_value());
    return frames.finish(result)->hosts.back().clock_error_us;
  };
  auto same = hosts(30, 12);
  same["hosts"]["server"]["boot_id"] = "1";
  CHECK(error_with(same).front().second == 0);
  auto unkept = hosts(30, 12);
  unkept["hosts"]["server"].erase("clock_error_us");
  CHECK(error_with(unkept).empty());
  auto one_program = hosts(30, 12);
  one_program["hosts"].erase("server");
  CHECK(error_with(one_program).front().second == 0);
}

TEST_CASE("an invalid frame of the load is refused") {
  const auto load = two_flows("forward");
  RunTrace frames(load);
  auto other = told(load, FrameStep::sent, 1, start);
  other["records"][0]["flow"] = 2;
  CHECK_FALSE(frames.add(other).has_value());
  CHECK_FALSE(frames.add("frames").has_value());
  CHECK_FALSE(frames.finish(hosts(1, 1)).has_value());
  REQUIRE(frames.add(told(load, FrameStep::sent, 0, start)).has_value());
  auto nameless = hosts(1, 1);
  nameless["hosts"]["server"]["name"] = 7;
  CHECK_FALSE(frames.finish(nameless).has_value());
}
