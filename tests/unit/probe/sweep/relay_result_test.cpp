#include "probe/sweep/relay_result.h"

#include "probe/results/probe_result.h"

#include <catch2/catch.hpp>

#include <memory>

namespace lw {
namespace {

using nlohmann::json;

RelayDirection direction(std::uint64_t forwarded) {
  RelayDirection of;
  const auto delays = std::make_unique<TimeHistogram>(), late = std::make_unique<TimeHistogram>();
  for (std::uint64_t i = 0; i < forwarded; ++i) {
    delays->add(std::chrono::milliseconds{20 + static_cast<int>(i % 3)});
    late->add(std::chrono::microseconds{i % 100});
  }
  of.counts.received = of.counts.forwarded = forwarded;
  of.times.delay.add(*delays);
  of.times.late.add(*late);
  return of;
}

json result() {
  return {{"schema", result_schema}, {"complete", true}, {"marks", json::array()}, {"figures", {{"loss", 0.0}}}};
}

TEST_CASE("a result has the relay's settings, and its report of both directions") {
  auto json = result();
  CHECK(put_relay(json, {{"delay_ms", 20}, {"seed", 3}}, direction(300), direction(0)).empty());
  CHECK(json["path"]["delay_ms"] == 20);
  CHECK(json["path"]["seed"] == 3);
  const auto& forward = json["path"]["forward"];
  CHECK(forward["forwarded"] == 300);
  CHECK(forward["own_drops"] == 0);
  CHECK(forward["delay_ms"]["p1"].get<double>() == Approx(20).epsilon(0.004));
  CHECK(forward["delay_ms"]["p50"].get<double>() == Approx(21).epsilon(0.004));
  CHECK(forward["departure_late_us"]["p99"].get<double>() == Approx(98).epsilon(0.004));
  CHECK(json["path"]["backward"]["delay_ms"].empty());  // nothing came back
  CHECK(json["marks"].empty());
  CHECK(parse_result(json.dump(), "run.json").value().counts());
}

TEST_CASE("a run in which the relay dropped packets itself is marked, and does not count") {
  for (const bool back : {false, true}) {
    auto json = result();
    auto forward = direction(300), backward = direction(100);
    (back ? backward : forward).counts.no_room = 5;
    (back ? backward : forward).counts.socket_dropped = 2;
    const auto note = put_relay(json, json::object(), forward, backward);
    CHECK(note.find(back ? "0 packets forward and 7 backward" : "7 packets forward and 0 backward") !=
          std::string::npos);
    const auto read = parse_result(json.dump(), "run.json");
    REQUIRE(read.has_value());
    REQUIRE(read->marks.size() == 1);
    CHECK(read->marks[0].what == "relay_drops");
    CHECK(read->marks[0].note == note);
    CHECK_FALSE(read->counts());
  }
}

TEST_CASE("losses as configured are not the relay's own") {
  auto json = result();
  auto forward = direction(300);
  forward.counts.lost = 50;
  forward.counts.queue_full = 50;
  forward.counts.socket_dropped.reset();  // the kernel does not count them
  CHECK(put_relay(json, json::object(), forward, direction(0)).empty());
  CHECK_FALSE(json["path"]["forward"].contains("socket_dropped"));
}

}  // namespace
}  // namespace lw
