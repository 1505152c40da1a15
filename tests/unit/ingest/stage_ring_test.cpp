#include "ingest/stage_ring.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <thread>

namespace {

using Ring = lw::StageRing<int>;

void dawdle(std::mt19937& random) {
  if (static_cast<unsigned>(random()) % 4 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<unsigned>(random()) % 100));
}

// Fills `count` numbers, then ends.
void fill(Ring& ring, int count, unsigned seed) {
  std::mt19937 random(seed);
  for (int number = 0; number < count; ++number) {
    auto* slot = ring.to_fill();
    if (slot == nullptr) return;
    dawdle(random);
    *slot = number;
    ring.filled();
  }
  ring.end(lw::Error{"end", ""});
}

}  // namespace

TEST_CASE("a ring hands on each value once and in order, and how it ended after the last one") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const int count = static_cast<int>(static_cast<unsigned>(random()) % 200);
    Ring ring(std::vector<int>(1 + static_cast<unsigned>(random()) % 5));
    const std::jthread filler([&, seed] { fill(ring, count, seed); });
    int next = 0;
    while (const auto* slot = ring.to_take()) {
      dawdle(random);
      REQUIRE(*slot == next++);
      ring.taken();
    }
    CHECK(next == count);
    REQUIRE(ring.outcome().has_value());
    CHECK(ring.outcome()->error().what == "end");
  }
}

TEST_CASE("a ring keeps its slots, and no more values than these are in it") {
  Ring ring(std::vector<int>(3));
  std::vector<const int*> slots;
  for (int i = 0; i < 3; ++i) {
    slots.push_back(ring.to_fill());
    CHECK(ring.to_fill() == slots.back());  // the same one until it is filled
    ring.filled();
  }
  std::atomic<const int*> more{nullptr};
  {
    const std::jthread filler([&] { more = ring.to_fill(); });
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    CHECK(more == nullptr);
    CHECK(ring.to_take() == slots.front());
    ring.taken();
  }
  CHECK(more == slots.front());
}

TEST_CASE("a cancelled ring lets both sides go at once, whatever is in it") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    Ring ring(std::vector<int>(1 + static_cast<unsigned>(random()) % 3));
    const std::jthread filler([&, seed] { fill(ring, 1'000'000'000, seed); });
    const std::jthread taker([&] {
      while (ring.to_take() != nullptr) ring.taken();
    });
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<unsigned>(random()) % 2000));
    ring.cancel();
    CHECK_FALSE(ring.outcome().has_value());
  }
}

TEST_CASE("the first end of a ring counts") {
  Ring ring(std::vector<int>(1));
  ring.end({});
  ring.end(lw::Error{"later", ""});
  CHECK(ring.to_take() == nullptr);
  CHECK(ring.outcome()->has_value());
}
