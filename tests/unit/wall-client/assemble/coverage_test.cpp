// Pins that coverage knows exactly which groups have arrived, in whatever pieces and order.
#include "wall-client/assemble/coverage.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace lw;

TEST_CASE("coverage equals that of a list of flags, whatever the order and the overlaps") {
  const auto seed = GENERATE(range(1U, 40U));
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() / 5) % n; };
  const std::size_t groups = 1 + below(400);
  Coverage coverage(groups);
  for (int band = 0; band < 4; ++band) {
    coverage.clear();
    std::vector<bool> came(groups);
    std::size_t next = 0;
    for (int i = 0; i < 200; ++i) {
      // Mostly in order, like real packets.
      const auto first = below(4) != 0 ? std::min(next, groups - 1) : below(groups);
      const auto last = first + 1 + below(std::min<std::size_t>(90, groups - first));
      next = below(10) == 0 ? last + below(30) : last;
      if (below(6) == 0) {
        const auto begin = came.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = came.begin() + static_cast<std::ptrdiff_t>(last);
        CHECK(coverage.all(first, last) == std::all_of(begin, end, [](bool one) { return one; }));
        CHECK(coverage.any(first, last) == std::any_of(begin, end, [](bool one) { return one; }));
      }
      std::size_t fresh = 0;
      for (auto group = first; group < last; ++group) {
        fresh += !came[group];
        came[group] = true;
      }
      REQUIRE(coverage.add(first, last) == fresh);
      REQUIRE(coverage.count() == static_cast<std::size_t>(std::ranges::count(came, true)));
    }
    const auto gap = std::ranges::find(came, false);
    CHECK(coverage.has_gaps() == (std::find(gap, came.end(), true) != came.end()));
  }
}

TEST_CASE("an empty piece is both absent and complete") {
  Coverage coverage(10);
  CHECK(coverage.add(3, 3) == 0);
  CHECK_FALSE(coverage.any(3, 3));
  CHECK(coverage.all(3, 3));
  CHECK(coverage.count() == 0);
}
