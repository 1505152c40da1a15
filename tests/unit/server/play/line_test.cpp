// Pins which frame each tick shows: rates, loops, pauses, ends, exact times; and that a line is the same from whichever
// tick it is computed.
#include "server/play/line.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <vector>

using namespace lw;

namespace {

Line started(std::uint32_t count, std::uint32_t frame = 0) { return Line::over(0, WallTime{}, {30, 1}, count, frame); }

// The frames of the next ticks; the line then begins after them.
std::vector<unsigned> frames(Line& line, int ticks) {
  std::vector<unsigned> result;
  const auto first = line.first_tick();
  for (int i = 0; i < ticks; ++i) result.push_back(line.frame(first + i));
  line = line.from(first + ticks);
  return result;
}
bool has_ended(const Line& line) { return line.at(line.first_tick()).ended; }

}  // namespace

TEST_CASE("loops forwards and backwards") {
  auto line = started(3);
  REQUIRE(frames(line, 5) == std::vector<unsigned>{0, 1, 2, 0, 1});
  line.set_rate(-1);
  REQUIRE(frames(line, 5) == std::vector<unsigned>{2, 1, 0, 2, 1});
}

TEST_CASE("rates skip and repeat frames") {
  auto line = started(8);
  line.set_rate(2);
  REQUIRE(frames(line, 5) == std::vector<unsigned>{0, 2, 4, 6, 0});
  line = started(8);
  line.set_rate(0.5);
  REQUIRE(frames(line, 5) == std::vector<unsigned>{0, 0, 1, 1, 2});
}

TEST_CASE("without loop it ends on the last frame, and seek revives it") {
  auto line = started(3);
  line.set_loop(false);
  REQUIRE(frames(line, 5) == std::vector<unsigned>{0, 1, 2, 2, 2});
  REQUIRE(has_ended(line));
  line.seek(1);
  REQUIRE_FALSE(has_ended(line));
  REQUIRE(frames(line, 2) == std::vector<unsigned>{1, 2});
}

TEST_CASE("stays within a range, forwards and backwards, at any rate") {
  auto line = started(10, 4);
  line.set_range({3, 5});
  REQUIRE(frames(line, 5) == std::vector<unsigned>{4, 5, 3, 4, 5});
  line.set_rate(-1);
  REQUIRE(frames(line, 5) == std::vector<unsigned>{3, 5, 4, 3, 5});
  for (const double rate : {-8.0, 0.25, 7.9, -0.1}) {
    line.set_rate(rate);
    for (const auto frame : frames(line, 50)) REQUIRE(FrameRange{3, 5}.has(frame));
  }
}

TEST_CASE("a position outside a new range moves to the beginning of the range") {
  auto line = started(10, 8);
  line.set_range({2, 4});
  REQUIRE(line.frame(0) == 2);
  line.set_rate(-1);
  line.set_range({6, 7});
  REQUIRE(line.frame(0) == 7);
  line.seek(1);
  REQUIRE(line.frame(0) == 6);
}

TEST_CASE("without loop a range ends on its last frame") {
  auto line = started(10, 3);
  line.set_loop(false);
  line.set_range({3, 5});
  REQUIRE(frames(line, 4) == std::vector<unsigned>{3, 4, 5, 5});
  REQUIRE(has_ended(line));
}

TEST_CASE("ends after so many repeats, whatever loop says, and counts from zero when it is revived") {
  for (const bool loop : {true, false}) {
    auto line = started(2);
    line.set_loop(loop);
    line.set_times(2);
    REQUIRE(frames(line, 6) == std::vector<unsigned>{0, 1, 0, 1, 1, 1});
    REQUIRE(has_ended(line));
    line.seek(0);
    REQUIRE(frames(line, 6) == std::vector<unsigned>{0, 1, 0, 1, 1, 1});
  }
}

TEST_CASE("repeats that were played count when something else changes") {
  auto line = started(2);
  line.set_times(3);
  REQUIRE(frames(line, 3) == std::vector<unsigned>{0, 1, 0});
  line.set_rate(0.5);
  REQUIRE(frames(line, 8) == std::vector<unsigned>{1, 1, 0, 0, 1, 1, 1, 1});
  REQUIRE(has_ended(line));
}

TEST_CASE("paused ticks continue with the same frame") {
  auto line = started(10, 4);
  line.set_paused(true);
  const auto before = line.media_time(line.first_tick());
  REQUIRE(frames(line, 3) == std::vector<unsigned>{4, 4, 4});
  REQUIRE(line.media_time(line.first_tick()) - before == Nanoseconds{100'000'000});
}

TEST_CASE("media times of 30000/1001 do not drift, however often the line changes") {
  auto line = Line::over(0, WallTime{}, {30000, 1001}, 10, 0);
  REQUIRE(line.media_time(30000) == WallTime{std::chrono::seconds{1001}});
  for (int tick = 1; tick <= 30000; ++tick) line = line.from(tick);
  REQUIRE(line.media_time(30000) == WallTime{std::chrono::seconds{1001}});
}

TEST_CASE("nothing plays where a line is replaced by nothing, and its ticks keep their times") {
  const auto line = Line::nothing(started(10).from(7));
  CHECK_FALSE(line.plays());
  CHECK(line.first_tick() == 7);
  CHECK(line.media_time(7) == started(10).media_time(7));
}

TEST_CASE("the law: a line, and the same line from any of its ticks on, agree on every later tick") {
  std::mt19937 random{7};
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  for (int round = 0; round < 2000; ++round) {
    const auto count = 1 + below(50);
    const FrameRate rate{static_cast<std::int32_t>(1 + below(240)), below(2) == 0 ? 1 : 1001};
    auto line =
        Line::over(below(1000), WallTime{std::chrono::seconds{below(2'000'000'000)}}, rate, count, below(count));
    line.set_rate((below(2) == 0 ? -1 : 1) * (0.01 + 0.01 * below(800)));
    line.set_loop(below(2) == 0);
    if (below(3) == 0) line.set_times(1 + below(4));
    if (below(4) == 0) line.set_range({0, below(count)});
    line.set_paused(below(8) == 0);
    const auto middle = line.first_tick() + below(300);
    const auto later = line.from(middle);
    for (auto tick = middle; tick < middle + 200; tick += 1 + below(9)) {
      REQUIRE(later.media_time(tick) == line.media_time(tick));
      REQUIRE(later.at(tick).position == line.at(tick).position);
      REQUIRE(later.at(tick).ended == line.at(tick).ended);
      REQUIRE(line.range().has(line.frame(tick)));
      REQUIRE(line.tick_at(line.media_time(tick)) == tick);
      REQUIRE(line.tick_at(line.media_time(tick) + Nanoseconds{1}) == tick + 1);
    }
  }
}

TEST_CASE("the law: frames are counted over all lines, from whichever line") {
  std::mt19937 random(5);
  const auto below = [&](unsigned end) { return std::uniform_int_distribution<unsigned>(0, end - 1)(random); };
  auto line = Line::nothing(1000);
  FrameCounts counted;
  std::int64_t tick = 1000;
  for (int step = 0; step < 2000; ++step) {
    CHECK(line.frames_before(tick) == counted);
    switch (below(8)) {
      case 0:
        line = Line::nothing(line.from(tick));
        break;
      case 1: {
        auto other = Line::over(tick, WallTime{}, {30, 1}, 1 + below(100), 0);
        other.number_after(line, static_cast<PixelFormat>(below(3)));
        line = other;
        break;
      }
      case 2:
        line = line.from(tick);
        break;
      case 3:
        line = line.from(tick);
        line.set_paused(below(2) == 0);
        break;
      default:
        break;
    }
    if (!line.plays()) continue;
    const auto ticks = below(50);
    counted[line.parts().format] += ticks;
    tick += ticks;
  }
}

TEST_CASE("the end is the first tick at which the frames have ended, from whichever tick it is sought") {
  auto line = started(10);
  CHECK_FALSE(line.end_before(1'000, {}));  // it loops
  line.set_times(3);
  CHECK(line.end_before(1'000, {}) == 30);
  CHECK(line.end_before(31, {}) == 30);
  CHECK_FALSE(line.end_before(30, {}));
  CHECK(line.from(17).end_before(1'000, {}) == 30);
  CHECK(line.from(40).end_before(1'000, {}) == 40);
  line.set_rate(-2);
  line.seek(9);
  CHECK(line.end_before(1'000, {}) == 15);
  line.set_paused(true);
  CHECK_FALSE(line.end_before(1'000, {}));
  CHECK_FALSE(Line::nothing(0).end_before(1'000, {}));
}

TEST_CASE("a time is over after as much playing, pauses not counted") {
  const auto two_seconds = std::chrono::seconds{2};
  auto line = started(10);
  CHECK(line.end_before(1'000, two_seconds) == 60);
  line = line.from(20);
  line.set_paused(true);
  CHECK_FALSE(line.end_before(1'000, two_seconds));
  line = line.from(50);
  line.set_paused(false);
  CHECK(line.end_before(1'000, two_seconds) == 90);
  line = line.from(70);
  line.set_rate(4);
  line.seek(3);
  CHECK(line.end_before(1'000, two_seconds) == 90);
  line.count_time_anew();
  CHECK(line.end_before(1'000, two_seconds) == 130);
}

TEST_CASE("the law: the end is where a walk along the ticks finds it") {
  std::mt19937 random{7};
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  for (int i = 0; i < 300; ++i) {
    const auto count = 1 + below(40);
    auto line = Line::over(below(1000), WallTime{},
                           {static_cast<std::int32_t>(1 + below(120)), 1 + static_cast<std::int32_t>(below(2))}, count,
                           below(count));
    line.set_rate(0.25 * (1 + below(32)) * (below(2) == 0 ? 1 : -1));
    line.set_loop(below(2) == 0);
    if (below(2) == 0) line.set_times(1 + below(3));
    std::optional<Nanoseconds> time;
    if (below(2) == 0) time = std::chrono::milliseconds{below(3000)};
    const auto until = line.first_tick() + below(300);
    std::optional<std::int64_t> walked;
    for (auto tick = line.first_tick(); tick < until && !walked; ++tick)
      if (line.at(tick).ended || (time && line.media_time(tick) - line.media_time(line.first_tick()) >= *time))
        walked = tick;
    REQUIRE(line.end_before(until, time) == walked);
    const auto later = line.first_tick() + below(50);
    if (walked && later <= *walked) REQUIRE(line.from(later).end_before(until, time) == walked);
  }
}
