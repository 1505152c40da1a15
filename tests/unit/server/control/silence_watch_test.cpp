#include "server/control/silence_watch.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a node is silent when nothing arrived for a second in which this thread listened") {
  SilenceWatch node(LocalTime{100s});
  LocalTime now{100s};
  for (int i = 0; i < 9; ++i) CHECK_FALSE(node.look(now += 100ms));
  CHECK(node.look(now += 100ms));
  CHECK_FALSE(node.look(now += 100ms));  // reported once
  CHECK(node.heard(now));
  CHECK_FALSE(node.heard(now));
  for (int i = 0; i < 100; ++i) {
    CHECK_FALSE(node.look(now += 100ms));
    node.heard(now);
  }
}

TEST_CASE("a thread that was delayed does not call a node silent before it has listened to it") {
  SilenceWatch node(LocalTime{100s});
  LocalTime now{100s};
  for (int i = 0; i < 20; ++i) {
    now += 3s;  // by a disk, repeatedly; then everything that arrived is read
    CHECK_FALSE(node.look(now));
    CHECK_FALSE(node.heard(now + 1ms));
  }
  now += 60s;
  for (int i = 0; i < 9; ++i) CHECK_FALSE(node.look(now += 100ms));
  CHECK(node.look(now += 100ms));
}
