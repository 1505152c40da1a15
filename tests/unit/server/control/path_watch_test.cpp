// Pins the events about two paths: one is lost while the other carries on, and one is back.
#include "server/control/path_watch.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a silent path is reported once, and when it is back") {
  PathWatch watch({3, {1}, {1, 0}});
  LocalTime now{10s};
  std::array<std::uint64_t, 2> packets{};
  for (int i = 0; i < 10; ++i, now += 100ms) {
    ++packets[0];
    ++packets[1];
    CHECK_FALSE(watch.update(packets, now));
  }
  int told = 0;
  for (int i = 0; i < 20; ++i, now += 100ms) {
    ++packets[1];
    const auto event = watch.update(packets, now);
    if (!event) continue;
    ++told;
    CHECK(event->code == "path-lost");
    CHECK_THAT(event->text, Catch::Contains("flow 3 (tile 1, 0): the first path"));
  }
  CHECK(told == 1);
  ++packets[0];
  const auto back = watch.update(packets, now);
  REQUIRE(back);
  CHECK(back->code == "path-back");
}

TEST_CASE("an idle stream does not count as a lost path") {
  PathWatch watch(WatchedFlow{});
  watch.update({5, 5}, LocalTime{1s});
  CHECK_FALSE(watch.update({5, 5}, LocalTime{10s}));
  CHECK_FALSE(watch.update({6, 6}, LocalTime{11s}));
}
