// Pins what is printed of a direction: achieved delays, lateness, and the relay's own drops; nothing that was not
// measured.
#include "probe/impair/impair_report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a direction's figures have the achieved delays, the lateness and the relay's own drops") {
  TimeHistogram delays, late;
  for (int i = 1; i <= 100; ++i) {
    delays.add(i * 1ms);
    late.add(i * 10us);
  }
  RelayTimes times;
  times.delay.add(delays);
  times.late.add(late);
  RelayCounts counts;
  counts.forwarded = 100;
  counts.no_room = 1;
  counts.unsendable = 2;
  counts.socket_dropped = 4;
  const auto figures = direction_json(counts, times);
  CHECK(figures["delay_ms"]["p1"].get<double>() == Approx(1).epsilon(0.004));
  CHECK(figures["delay_ms"]["p50"].get<double>() == Approx(50).epsilon(0.004));
  CHECK(figures["delay_ms"]["p99"].get<double>() == Approx(99).epsilon(0.004));
  CHECK(figures["delay_ms"]["mean"].get<double>() == Approx(50.5));
  CHECK(figures["departure_late_us"]["p50"].get<double>() == Approx(500).epsilon(0.004));
  CHECK(figures["departure_late_us"]["p99"].get<double>() == Approx(990).epsilon(0.004));
  CHECK(figures["departure_late_us"]["max"] == 1000);
  CHECK(figures["socket_dropped"] == 4);
  CHECK(figures["own_drops"] == 7);
  CHECK_THAT(direction_text(counts, times), Catch::Contains("delay 50.500 ms mean") && Catch::Contains("1000 max") &&
                                                Catch::Contains("dropped by the relay 7: 4 receive buffer, 1 memory"));
}

TEST_CASE("a direction without packets, or whose kernel does not count drops, lacks these figures") {
  RelayCounts counts, sum;
  counts.socket_dropped.reset();
  sum += counts;
  const auto figures = direction_json(sum, {});
  CHECK_FALSE(figures.contains("socket_dropped"));
  CHECK(figures["delay_ms"].empty());
  CHECK(figures["departure_late_us"].empty());
  CHECK(direction_text(sum, {}) == "no packet forwarded; 0 dropped by the relay");
}
