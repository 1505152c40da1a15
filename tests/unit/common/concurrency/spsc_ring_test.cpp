// Pins that order is kept and nothing lost between two threads; full and empty are refused. Also for ThreadSanitizer.
#include "common/concurrency/spsc_ring.h"
#include "common/concurrency/snapshot.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

using namespace lw;

TEST_CASE("spsc ring refuses when full and when empty") {
  SpscRing<int> ring(3);
  REQUIRE(ring.capacity() == 4);
  REQUIRE(ring.empty());
  for (int i = 0; i < 4; ++i) REQUIRE(ring.try_push(i));
  REQUIRE_FALSE(ring.try_push(4));
  int value = -1;
  for (int i = 0; i < 4; ++i) {
    REQUIRE_FALSE(ring.empty());
    REQUIRE(ring.try_pop(value));
    REQUIRE(value == i);
  }
  REQUIRE(ring.empty());
  REQUIRE_FALSE(ring.try_pop(value));
}

TEST_CASE("spsc ring hands every value over in order between two threads") {
  SpscRing<int> ring(8);
  constexpr int count = 200'000;
  std::thread producer([&] {
    for (int i = 0; i < count;)
      if (ring.try_push(i)) ++i;
  });
  int wrong = 0;
  for (int expected = 0; expected < count;) {
    int value = 0;
    if (!ring.try_pop(value)) continue;
    wrong += value != expected;
    ++expected;
  }
  producer.join();
  REQUIRE(wrong == 0);
}

TEST_CASE("a snapshot is never torn") {
  struct Pair {
    std::uint64_t a = 0, b = 0, c = 0;
  };
  Snapshot<Pair> snapshot;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (std::uint64_t i = 1; i < 100'000; ++i) snapshot.publish({i, 2 * i, 3 * i});
    done = true;
  });
  int torn = 0;
  while (!done) {
    const auto pair = snapshot.read();
    torn += pair.b != 2 * pair.a || pair.c != 3 * pair.a;
  }
  writer.join();
  REQUIRE(torn == 0);
  REQUIRE(snapshot.read().c == 3 * 99'999);
}
