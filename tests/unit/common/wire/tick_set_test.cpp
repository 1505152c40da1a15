// Pins a set of the newest ticks: in and out of order, across the wrap of 16 bits, and when a stream restarts.
#include "common/wire/tick_set.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;

TEST_CASE("a set holds what was added within 64 ticks of the newest") {
  TickSet set;
  CHECK(set.empty());
  CHECK_FALSE(set.contains(0));
  set.add(100);
  set.add(102);
  set.add(101);
  set.add(90);
  for (const int tick : {90, 100, 101, 102}) CHECK(set.contains(static_cast<std::uint16_t>(tick)));
  for (const int tick : {89, 91, 99, 103, 36, 166}) CHECK_FALSE(set.contains(static_cast<std::uint16_t>(tick)));
  set.add(38);  // too old
  CHECK_FALSE(set.contains(38));
  set.add(153);
  CHECK(set.contains(90));
  set.add(154);
  CHECK_FALSE(set.contains(90));
  CHECK(set.contains(100));
  CHECK(TickSet(set.newest(), set.mask()) == set);
}

TEST_CASE("ticks wrap around") {
  TickSet set;
  set.add(65530);
  set.add(3);
  CHECK(set.contains(65530));
  CHECK(set.contains(3));
  CHECK(set.newest() == 3);
  CHECK_FALSE(set.contains(65535));
}

TEST_CASE("a tick far ahead clears the set") {
  TickSet set;
  set.add(5);
  set.add(69);
  CHECK(set.mask() == 1);
  set.add(5000);
  CHECK(set.contains(5000));
  CHECK_FALSE(set.contains(69));
}

TEST_CASE("the ticks of two sets of a stream are those of either, as far as they are near the newest") {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto base = static_cast<std::uint16_t>(random());
    TickSet one, other;
    for (int k = 0; k < 6; ++k) one.add(static_cast<std::uint16_t>(base + random() % 60));
    for (int k = 0; k < 6; ++k) other.add(static_cast<std::uint16_t>(base + random() % 60));
    auto both = one;
    both.add(other);
    for (unsigned age = 0; age < 60; ++age) {
      const auto tick = static_cast<std::uint16_t>(base + age);
      REQUIRE(both.contains(tick) == (one.contains(tick) || other.contains(tick)));
    }
  }
}

TEST_CASE("a set far from another replaces it, and an empty one changes nothing") {
  TickSet near, far;
  near.add(10);
  far.add(10'000);
  auto both = near;
  both.add(TickSet{});
  CHECK(both == near);
  both.add(far);
  CHECK(both == far);
  TickSet none;
  none.add(near);
  CHECK(none == near);
}
