// Pins the events of a flow that loses packets: one when it begins, and one with the result.
#include "server/control/loss_watch.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a loss is reported when it begins and when it has ended") {
  LossWatch watch({1, {1}, {1, 0}});
  LocalTime now{100s};
  CHECK_FALSE(watch.update(7, 0, now));  // from before this server
  CHECK_FALSE(watch.update(7, 0, now += 100ms));
  const auto began = watch.update(10, 1, now += 100ms);
  REQUIRE(began);
  CHECK(began->code == "loss-began");
  CHECK(began->severity == Severity::warning);
  CHECK(began->flow == 1U);
  for (int i = 0; i < 10; ++i) CHECK_FALSE(watch.update(11 + i, 2, now += 100ms));
  CHECK_FALSE(watch.update(20, 12, now += 1900ms));
  const auto ended = watch.update(20, 12, now += 100ms);
  REQUIRE(ended);
  CHECK(ended->code == "loss-ended");
  CHECK_THAT(ended->text, Catch::Contains("13 were lost in 1.0 s, 12 of them recovered in time"));
  CHECK_FALSE(watch.update(20, 12, now += 5s));
}

TEST_CASE("a node that restarts has lost nothing") {
  LossWatch watch(WatchedFlow{});
  watch.update(50, 0, LocalTime{1s});
  watch.restart();
  CHECK_FALSE(watch.update(0, 0, LocalTime{2s}));
  CHECK_FALSE(watch.update(0, 0, LocalTime{10s}));
  CHECK(watch.update(1, 0, LocalTime{11s}));
}

TEST_CASE("packets that arrive late cancel their loss, and their path is reported once") {
  LossWatch watch(WatchedFlow{});
  LocalTime now{100s};
  watch.update(100, 0, now);
  int told = 0;
  for (int report = 0; report < 100; ++report)
    told += watch.update(report % 2 == 0 ? 103 : 100, 0, now += 100ms).has_value() ? 1 : 0;
  CHECK(told <= 2);  // that it began, and that it ended
}
