// When runs leave, at times given by the test: paced over the window, gently after a delay, and not at all if it is too
// late or the clock was set back. Whenever the schedule is asked, no run leaves early, each run leaves once in its
// order, and every frame ends.
#include "server/send/send_schedule.h"

#include "common/plan/buffers.h"
#include "common/wall/send_window.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime media_time{1'800'000'000s};
constexpr Nanoseconds interval = 40ms;
constexpr std::size_t total = 100;
constexpr std::size_t run = 5;
using Verdict = SendSchedule::Verdict;

Wall wall_of(std::chrono::milliseconds delay) {
  Wall wall;
  wall.frame_rate = {25, 1};
  wall.streaming.playout_delay = delay;
  return wall;
}

WallTime give_up(std::chrono::milliseconds delay) {
  return SendSchedule::give_up_time(media_time, interval, PlayoutRamp::constant(delay), std::nullopt);
}

}  // namespace

TEST_CASE("runs leave evenly over the window, none before its time") {
  const auto wall = wall_of(200ms);
  SendSchedule schedule(wall);
  schedule.begin(media_time, interval, total, give_up(200ms));
  auto now = media_time - 10ms;
  for (std::size_t first = 0; first < total; first += run) {
    auto turn = schedule.turn(first, run, now, 0ns);
    if (turn.verdict == Verdict::wait) {
      CHECK(turn.at > now);
      now = turn.at;
      turn = schedule.turn(first, run, now, 0ns);
    }
    REQUIRE(turn.verdict == Verdict::send);
    const auto share = static_cast<double>(first) / total;
    const auto due = media_time + Nanoseconds{static_cast<std::int64_t>(share * 0.9 * interval.count())};
    CHECK(std::chrono::abs(turn.due - due) < 1us);
    CHECK(now >= turn.due);
  }
  CHECK(now < media_time + interval);
  CHECK(schedule.take_late_max() < 1us);
}

TEST_CASE("a sender that cannot wait for less sends a little early, by no more than that") {
  SendSchedule schedule(wall_of(200ms));
  schedule.begin(media_time, interval, total, give_up(200ms));
  CHECK(schedule.turn(0, run, media_time - 51us, 50us).verdict == Verdict::wait);
  CHECK(schedule.turn(0, run, media_time - 50us, 50us).verdict == Verdict::send);
}

TEST_CASE("a queueing discipline gets runs ahead of their times") {
  SendSchedule schedule(wall_of(200ms), 2ms);
  schedule.begin(media_time, interval, total, give_up(200ms));
  CHECK(schedule.turn(0, run, media_time - 2001us, 0ns).verdict == Verdict::wait);
  CHECK(schedule.turn(0, run, media_time - 2ms, 0ns).verdict == Verdict::send);
}

TEST_CASE("a frame is dropped when it can no longer be shown, and its lateness is reported once") {
  SendSchedule schedule(wall_of(200ms));
  const auto until = give_up(200ms);
  CHECK(until == media_time + 200ms - arrival_margin);
  schedule.begin(media_time, interval, total, until);
  CHECK(schedule.turn(0, run, until, 0ns).verdict == Verdict::send);
  CHECK(schedule.turn(run, run, until + 1ms, 0ns).verdict != Verdict::send);
  CHECK(schedule.take_late_max() >= until - media_time);
  CHECK(schedule.take_late_max() == 0ns);
}

TEST_CASE("the time that a packet takes is subtracted, and two intervals are granted in any case") {
  const auto delay = PlayoutRamp::constant(200ms);
  CHECK(SendSchedule::give_up_time(media_time, interval, delay, 60ms) == media_time + 170ms - arrival_margin);
  CHECK(SendSchedule::give_up_time(media_time, interval, PlayoutRamp::constant(20ms), {}) == media_time + 80ms);
  CHECK(SendSchedule::give_up_time(media_time, interval, PlayoutRamp::constant(5s), {}) == media_time + behind_most);
}

TEST_CASE("after the clock was set back a frame is skipped rather than waited for") {
  SendSchedule schedule(wall_of(200ms));
  schedule.begin(media_time, interval, total, give_up(200ms));
  CHECK(schedule.turn(0, run, media_time - SendSchedule::due_within - 1ms, 0ns).verdict == Verdict::give_up);
  // Packets that were sent at later times of the previous clock do not delay the current ones.
  schedule.begin(media_time + 1h, interval, total, give_up(200ms) + 1h);
  CHECK(schedule.turn(0, run, media_time + 1h, 0ns).verdict == Verdict::send);
  schedule.begin(media_time, interval, total, give_up(200ms));
  CHECK(schedule.turn(0, run, media_time, 0ns).verdict == Verdict::send);
}

TEST_CASE("however often it is stepped: no run is early, all are in order, and every frame ends") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto delay = std::chrono::milliseconds{60 + random() % 300};
    SendSchedule schedule(wall_of(delay));
    auto now = media_time - 5ms;
    for (int frame = 0; frame < 5; ++frame) {
      const auto time = media_time + frame * interval;
      schedule.begin(time, interval, total, give_up(delay) + frame * interval);
      for (std::size_t first = 0; first < total;) {
        const auto count = std::min<std::size_t>(1 + random() % 7, total - first);
        const auto turn = schedule.turn(first, count, now, 0ns);
        if (turn.verdict == Verdict::give_up) {
          CHECK(now > give_up(delay) + frame * interval);
          break;
        }
        if (turn.verdict == Verdict::wait) {
          REQUIRE(turn.at > now);
          now = turn.at + std::chrono::microseconds{random() % 20 == 0 ? random() % 90'000 : random() % 60};
          continue;
        }
        REQUIRE(now >= turn.due);
        first += count;
        now += std::chrono::microseconds{random() % 30};
      }
    }
  }
}
