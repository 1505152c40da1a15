#include "probe/trace/burst_trace.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace lw {
namespace {

constexpr WallTime at(std::int64_t us) {
  return WallTime{std::chrono::seconds{1'000'000'000} + std::chrono::microseconds{us}};
}

// Two flows: flow 0 writes in two calls, flow 1 in one, and waits for flow 0.
BurstTrace two_flows() {
  return {"alpha",
          {{at(100), at(110), 70, 1, 0, CallKind::write},
           {at(110), at(130), 30, 1, 0, CallKind::write},
           {at(100), at(120), 100, 1, 1, CallKind::write},
           {at(120), at(140), 0, 1, 1, CallKind::answer},
           {at(130), at(180), 0, 1, 0, CallKind::answer},
           {at(140), at(180), 0, 1, 1, CallKind::barrier},
           {at(180), at(180), 0, 1, 0, CallKind::barrier}},
          2};
}

TEST_CASE("stages are the calls of a flow in order, writes of a burst as one") {
  const auto stages = burst_stages(two_flows().calls);
  REQUIRE(stages.size() == 6);
  CHECK(stages[0] == CallRecord{at(100), at(130), 100, 1, 0, CallKind::write});
  CHECK(stages[1].kind == CallKind::answer);
  CHECK(stages[2].kind == CallKind::barrier);
  CHECK(stages[3] == CallRecord{at(100), at(120), 100, 1, 1, CallKind::write});
  CHECK(burst_stages({}).empty());
}

TEST_CASE("a stage counts more bytes than 32 bits hold") {
  std::vector<CallRecord> calls;
  for (int i = 0; i < 4; ++i) calls.push_back({at(i), at(i + 1), std::uint64_t{1} << 30U, 1, 0, CallKind::write});
  const auto stages = burst_stages(calls);
  REQUIRE(stages.size() == 1);
  CHECK(stages[0].bytes == std::uint64_t{1} << 32U);
}

TEST_CASE("calls beyond the recorder's room are counted") {
  CallRecorder recorder(7);
  std::vector<CallRecord> calls;
  for (int i = 0; i < 40'000; ++i) recorder.add({at(i), at(i), 0, 1, 0, CallKind::write});
  const auto dropped = recorder.take(calls);
  CHECK(calls.size() + dropped == 40'000);
  CHECK(dropped > 0);
  CHECK(calls.front().flow == 7);
  recorder.add({});
  CHECK(recorder.take(calls) == dropped);
  CHECK(calls.size() + dropped == 40'001);
}

TEST_CASE("writes of two bursts are two stages") {
  const auto stages =
      burst_stages({{at(1), at(2), 8, 1, 0, CallKind::write}, {at(3), at(4), 8, 2, 0, CallKind::write}});
  CHECK(stages.size() == 2);
}

TEST_CASE("times are added up by stage over all flows") {
  const auto summary = burst_summary(two_flows());
  CHECK(summary["flows"] == 2);
  CHECK(summary["bursts"] == 1);
  CHECK(summary["records_missing"] == 2);
  CHECK(summary["stages"]["write"]["count"] == 3);
  CHECK(summary["stages"]["write"]["s"].get<double>() == Approx(50e-6));
  CHECK(summary["stages"]["answer"]["s"].get<double>() == Approx(70e-6));
  CHECK(summary["stages"]["barrier"]["share"].get<double>() == Approx(40.0 / 160));
  CHECK_FALSE(summary["stages"].contains("compute"));
}

TEST_CASE("the file has a track for each flow, and a burst around its calls") {
  std::string text;
  write_burst_trace({}, [&](std::string_view piece) { text += piece; });
  CHECK(text.empty());
  write_burst_trace(two_flows(), [&](std::string_view piece) { text += piece; });
  const auto trace = nlohmann::json::parse(text);
  CHECK(trace["otherData"]["records_missing"] == 2);
  double begin = -1, end = -1;
  std::size_t bytes = 0;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X" || event["tid"] != 1) continue;
    if (event["name"] == "burst") {
      begin = event["ts"].get<double>();
      end = begin + event["dur"].get<double>();
      CHECK(event["args"]["bytes"] == 100);
    }
    if (event["name"] == "write") bytes += event["args"]["bytes"].get<std::size_t>();
  }
  CHECK(begin == Approx(0).margin(1e-9));
  CHECK(end == Approx(80));
  CHECK(bytes == 100);
}

}  // namespace
}  // namespace lw
