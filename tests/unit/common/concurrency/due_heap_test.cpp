// The earliest of many times, whatever was changed before: compared with looking at all of them.
#include "common/concurrency/due_heap.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace lw;

namespace {

LocalTime at(std::int64_t time) { return LocalTime{Nanoseconds{time}}; }

}  // namespace

TEST_CASE("the first of a heap is one of the earliest, after any changes") {
  DueHeap heap;
  std::vector<LocalTime> times;
  std::mt19937 random(7);
  for (int change = 0; change < 5000; ++change) {
    if (change % 100 == 0) {
      times.resize(times.size() + 1 + random() % 5, DueHeap::never);
      heap.grow(times.size());
    }
    const auto place = static_cast<std::uint32_t>(random() % times.size());
    times[place] = random() % 4 == 0 ? DueHeap::never : at(static_cast<std::int64_t>(random() % 50));
    heap.set(place, times[place]);
    REQUIRE(heap.earliest() == *std::ranges::min_element(times));
    REQUIRE(times[heap.first()] == heap.earliest());
    REQUIRE(heap.time_of(place) == times[place]);
  }
}
