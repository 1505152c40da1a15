// Which flows of several servers send parity, and that its numbers follow one another whenever it is switched.
#include "server/sync/parity_control.h"
#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <deque>

using namespace lw;
using lw::truth::Random;
using namespace std::chrono_literals;

namespace {

constexpr std::array<std::int64_t, FrameCounts::formats> parity_of{4, 3, 8, 2, 5};  // packets of a frame

std::int64_t packets(const FrameCounts& frames) {
  std::int64_t all = 0;
  for (std::size_t i = 0; i < parity_of.size(); ++i) all += frames.of[i] * parity_of[i];
  return all;
}

}  // namespace

TEST_CASE("a flow sends parity from the announced frame on, and as long as its server wants it") {
  ParityControl control;
  LocalTime now{100s};
  FrameCounts due;
  due[PixelFormat::rgb8] = 50;
  CHECK_FALSE(control.step({}, due, now));
  REQUIRE(control.step({3}, due, now));
  const auto on = control.of(3);
  auto before = due;
  before[PixelFormat::rgb8] = 49;
  CHECK_FALSE(on.has_parity(before));
  CHECK(on.has_parity(due));
  CHECK(on.numbered(due) == FrameCounts{});
  CHECK_FALSE(control.of(2).has_parity(due));
  CHECK_FALSE(control.step({3}, due, now + 5s));
  due[PixelFormat::rgb8] = 200;
  REQUIRE(control.step({}, due, now + 6s));
  before[PixelFormat::rgb8] = 199;
  CHECK(control.of(3).has_parity(before));
  CHECK_FALSE(control.of(3).has_parity(due));
}

TEST_CASE("a change of mind waits until the change before it has taken effect") {
  ParityControl control;
  const LocalTime now{100s};
  REQUIRE(control.step({3}, {}, now));
  CHECK_FALSE(control.step({}, {}, now + 900ms));
  CHECK(control.step({}, {}, now + 1s));
}

TEST_CASE("the law: parity packets have consecutive numbers, however often parity is switched") {
  const auto seed = GENERATE(range(1U, 30U));
  Random random(seed);
  ParityControl control;
  LocalTime now{100s};
  FrameCounts due;                 // before the next frame
  std::deque<PixelFormat> coming;  // frames for which a decision comes too late
  auto ahead = due;
  auto format = PixelFormat::rgb8;
  std::int64_t next = 0;
  std::set<unsigned> wanted;
  unsigned with_parity = 0;
  for (unsigned frame = 0; frame < 3000; ++frame, now += 33ms) {
    if (random.once_in(60)) wanted = wanted.empty() ? std::set<unsigned>{7} : std::set<unsigned>{};
    while (coming.size() < 6) {
      if (random.once_in(50)) format = static_cast<PixelFormat>(random.below(FrameCounts::formats));
      coming.push_back(format);
      ++ahead[format];
    }
    control.step(wanted, ahead, now);
    const auto decided = control.of(7);
    if (decided.has_parity(due)) {
      ++with_parity;
      REQUIRE(packets(decided.numbered(due)) == next);
      next += parity_of[static_cast<std::size_t>(coming.front())];
    }
    ++due[coming.front()];
    coming.pop_front();
  }
  CHECK(with_parity > 100);
}
