// When the wall changes to the next visualization, and its brightness meanwhile.
#include "server/play/transitions.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

const WallTime start{1'000s};
constexpr Nanoseconds frame_interval{33ms};
const Transition cut{}, fade{1s};

}  // namespace

TEST_CASE("a cut happens at once") {
  Transitions transitions(frame_interval);
  CHECK_FALSE(transitions.plan(cut, true, start));
  CHECK_FALSE(transitions.change());
  CHECK(transitions.fades() == Fades{});
}

TEST_CASE("a fade changes the visualization in its middle, while the wall is black") {
  Transitions transitions(frame_interval);
  const auto change = transitions.plan(fade, true, start);
  REQUIRE(change);
  CHECK(*change == start + Transitions::fade_notice + 500ms);
  CHECK(transitions.fades().brightness_at(*change) == 0);
  CHECK(transitions.fades().brightness_at(*change - frame_interval) == 0);
  CHECK(transitions.fades().brightness_at(start) == 1);
  CHECK(transitions.fades().brightness_at(*change - 250ms) == Approx(0.5).margin(0.05));
  CHECK(transitions.fades().brightness_at(*change + 500ms) == 1);
}

TEST_CASE("what has an end darkens from its end on") {
  Transitions transitions(frame_interval);
  const auto change = transitions.plan(fade, true, start, start + 3s);
  REQUIRE(change);
  CHECK(*change == start + 3s + 500ms);
  CHECK(transitions.fades().brightness_at(start + 3s) == 1);
  CHECK(transitions.fades().brightness_at(start + 3s + 250ms) == Approx(0.5).margin(0.05));
}

TEST_CASE("the next visualization is due early enough to be read") {
  Transitions transitions(frame_interval);
  const auto change = transitions.plan(fade, true, start).value();
  CHECK_FALSE(transitions.is_due(start));
  CHECK_FALSE(transitions.is_due(change - 300ms));
  CHECK(transitions.is_due(change - 150ms));
  transitions.switched();
  CHECK_FALSE(transitions.is_due(change));
  CHECK(transitions.fades().brightness_at(change) == 0);  // the nodes continue it
}

TEST_CASE("on a wall that shows nothing a fade only brightens, and does not wait") {
  Transitions transitions(frame_interval);
  CHECK_FALSE(transitions.plan(fade, false, start));
  CHECK(transitions.fades().brightness_at(start) == 0);
  CHECK(transitions.fades().brightness_at(start + 1s) == 1);
}

TEST_CASE("another request while the wall darkens uses the same moment, a cut the earliest one") {
  Transitions transitions(frame_interval);
  const auto change = transitions.plan(Transition{4s}, true, start).value();
  CHECK(transitions.plan(fade, true, start + 100ms) == change);
  const auto soonest = transitions.plan(cut, true, start + 200ms);
  REQUIRE(soonest);
  CHECK(*soonest < change);
  CHECK(transitions.fades().brightness_at(*soonest) == 1);
}

TEST_CASE("cancelling a fade is a change only if there was one") {
  Transitions transitions(frame_interval);
  CHECK_FALSE(transitions.forget());
  transitions.plan(fade, true, start);
  CHECK(transitions.forget());
  CHECK(transitions.fades() == Fades{});
  CHECK_FALSE(transitions.change());
  CHECK_FALSE(transitions.forget());
}

TEST_CASE("after the clock was set, the next visualization starts at once, without darkening") {
  Transitions transitions(frame_interval);
  transitions.clock_jumped();
  CHECK_FALSE(transitions.is_due(start));
  const auto change = transitions.plan(fade, true, start).value();
  transitions.clock_jumped();
  CHECK(transitions.is_due(start));
  CHECK(transitions.fades().brightness_at(change) == 1);
}
