// The law: a number is accepted at most once, and exactly if it is not further behind the newest than the window.
// Random schedules of losses, repetitions, reordering and jumps, against a model that remembers every number.
#include "common/srtp/replay_window.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <unordered_set>

using namespace lw;
using Verdict = ReplayWindow::Verdict;

namespace {

class Model {
public:
  [[nodiscard]] Verdict look(std::uint64_t number) const {
    if (newest_ && number + ReplayWindow::packets <= *newest_) return Verdict::too_old;
    return accepted_.contains(number) ? Verdict::repeated : Verdict::fresh;
  }
  void take(std::uint64_t number) {
    accepted_.insert(number);
    newest_ = std::max(newest_.value_or(0), number);
  }

private:
  std::unordered_set<std::uint64_t> accepted_;
  std::optional<std::uint64_t> newest_;
};

// Mostly near the newest, sometimes at the window's edge, sometimes far away.
std::uint64_t next_number(std::minstd_rand& random, std::uint64_t newest, std::uint64_t highest) {
  const auto within = [&](std::uint64_t count) { return std::uint64_t{random()} % count; };
  const auto back = [&](std::uint64_t count) { return newest - std::min(newest, count); };
  switch (within(16)) {
    case 0:
      return within(highest + 1);
    case 1:
      return std::min(highest, newest + within(2 * ReplayWindow::packets + 3));
    case 2:
      return back(ReplayWindow::packets - 2 + within(5));
    case 3:
    case 4:
      return back(within(ReplayWindow::packets + 100));
    case 5:
    case 6:
    case 7:
      return back(within(70));
    default:
      return std::min(highest, newest + 1 + within(3));
  }
}

}  // namespace

TEST_CASE("the replay window decides like a memory of all numbers") {
  const unsigned seed = GENERATE(range(1U, 41U));
  // Sequence numbers, and indexes of RTCP.
  const std::uint64_t highest = seed % 2 == 0 ? 0xffff : 0x7fffffff;
  INFO(seed);
  std::minstd_rand random(seed);
  ReplayWindow window;
  Model model;
  std::uint64_t newest = random() % (highest + 1);
  std::uint64_t seen[3] = {};
  for (int i = 0; i < 20'000; ++i) {
    const auto number = next_number(random, newest, highest);
    const auto verdict = window.look(number);
    REQUIRE(verdict == model.look(number));
    ++seen[static_cast<int>(verdict)];
    // Some are fresh, but not authentic.
    if (verdict != Verdict::fresh || random() % 10 == 0) continue;
    window.take(number);
    model.take(number);
    newest = std::max(newest, number);
    // Near the last sequence number the rest of a schedule would only be old.
    if (newest + 100 > highest && random() % 100 == 0) {
      window = {};
      model = {};
      newest = random() % (highest + 1);
    }
  }
  CHECK(seen[static_cast<int>(Verdict::fresh)] > 100);
  CHECK(seen[static_cast<int>(Verdict::repeated)] > 100);
  CHECK(seen[static_cast<int>(Verdict::too_old)] > 100);
}
