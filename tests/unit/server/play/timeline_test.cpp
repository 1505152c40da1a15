// Pins which frame each tick shows: rates, loops, pauses, ends, exact times.
#include "server/play/timeline.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;

namespace {

std::vector<unsigned> frames(Timeline& timeline, int ticks) {
  std::vector<unsigned> result;
  for (int i = 0; i < ticks; ++i, timeline.advance()) result.push_back(timeline.frame());
  return result;
}

Timeline started(std::uint32_t count, std::uint32_t frame = 0) {
  Timeline timeline;
  timeline.begin(WallTime{}, {30, 1}, count, frame);
  return timeline;
}

}  // namespace

TEST_CASE("loops forwards and backwards") {
  auto timeline = started(3);
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{0, 1, 2, 0, 1});
  timeline.set_rate(-1);
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{2, 1, 0, 2, 1});
}

TEST_CASE("rates skip and repeat frames") {
  auto timeline = started(8);
  timeline.set_rate(2);
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{0, 2, 4, 6, 0});
  timeline = started(8);
  timeline.set_rate(0.5);
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{0, 0, 1, 1, 2});
}

TEST_CASE("without loop it ends on the last frame, paused, and seek revives it") {
  auto timeline = started(3);
  timeline.set_loop(false);
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{0, 1, 2, 2, 2});
  REQUIRE(timeline.ended());
  REQUIRE(timeline.paused());
  timeline.seek(1);
  timeline.set_paused(false);
  REQUIRE_FALSE(timeline.ended());
  REQUIRE(frames(timeline, 2) == std::vector<unsigned>{1, 2});
}

TEST_CASE("stays within a range, forwards and backwards, at any rate") {
  auto timeline = started(10, 4);
  timeline.set_range({3, 5});
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{4, 5, 3, 4, 5});
  timeline.set_rate(-1);
  REQUIRE(frames(timeline, 5) == std::vector<unsigned>{3, 5, 4, 3, 5});
  timeline.set_rate(-8);
  for (const auto frame : frames(timeline, 20)) REQUIRE(FrameRange{3, 5}.has(frame));
  timeline.set_rate(0.25);
  for (const auto frame : frames(timeline, 20)) REQUIRE(FrameRange{3, 5}.has(frame));
}

TEST_CASE("a position outside a new range moves to the beginning of the range") {
  auto timeline = started(10, 8);
  timeline.set_range({2, 4});
  REQUIRE(timeline.frame() == 2);
  timeline.set_rate(-1);
  timeline.set_range({6, 7});
  REQUIRE(timeline.frame() == 7);
  timeline.seek(1);
  REQUIRE(timeline.frame() == 6);
}

TEST_CASE("without loop a range ends on its last frame") {
  auto timeline = started(10, 3);
  timeline.set_loop(false);
  timeline.set_range({3, 5});
  REQUIRE(frames(timeline, 4) == std::vector<unsigned>{3, 4, 5, 5});
  REQUIRE(timeline.ended());
}

TEST_CASE("ends after so many repeats, whatever loop says, and counts from zero when it is revived") {
  for (const bool loop : {true, false}) {
    auto timeline = started(2);
    timeline.set_loop(loop);
    timeline.set_times(2);
    REQUIRE(frames(timeline, 6) == std::vector<unsigned>{0, 1, 0, 1, 1, 1});
    REQUIRE(timeline.ended());
    timeline.seek(0);
    timeline.set_paused(false);
    REQUIRE(frames(timeline, 6) == std::vector<unsigned>{0, 1, 0, 1, 1, 1});
  }
}

TEST_CASE("a restarted timeline has all frames again") {
  auto timeline = started(10);
  timeline.set_range({3, 3});
  REQUIRE(frames(timeline, 2) == std::vector<unsigned>{3, 3});
  timeline.begin(WallTime{}, {30, 1}, 3, 0);
  REQUIRE(frames(timeline, 4) == std::vector<unsigned>{0, 1, 2, 0});
}

TEST_CASE("paused ticks continue with the same frame") {
  auto timeline = started(10, 4);
  timeline.set_paused(true);
  const auto before = timeline.media_time();
  REQUIRE(frames(timeline, 3) == std::vector<unsigned>{4, 4, 4});
  REQUIRE(timeline.media_time() - before == Nanoseconds{100'000'000});
}

TEST_CASE("media times of 30000/1001 do not drift") {
  Timeline timeline;
  timeline.begin(WallTime{}, {30000, 1001}, 10, 0);
  for (int i = 0; i < 30000; ++i) timeline.advance();
  REQUIRE(timeline.media_time() == WallTime{std::chrono::seconds{1001}});
}

TEST_CASE("a seek beyond the end goes to the last frame") {
  auto timeline = started(3);
  timeline.seek(99);
  REQUIRE(timeline.frame() == 2);
}
