// Pins when packets leave: linear pacing spreads a frame evenly over its fraction of the interval, or over the part
// that the playout delay leaves; without pacing, they leave at once.
#include "server/send/pacer.h"

#include "server/play/line.h"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

Wall paced(double fraction, Pacing pacing = Pacing::linear) {
  Wall wall;
  wall.streaming.pacing = pacing;
  wall.streaming.pace_fraction = fraction;
  return wall;
}

Wall narrow(double fraction) {
  auto wall = paced(fraction);
  wall.streaming.pace_spin = 100us;
  return wall;
}

}  // namespace

TEST_CASE("linear pacing spreads packets evenly over the fraction of the interval") {
  const Pacer pacer(paced(0.9));
  const WallTime start{1000s};
  CHECK(pacer.of(40ms, 100).due(start, 0) == start);
  CHECK(pacer.of(40ms, 100).due(start, 50) == start + 18ms);
  for (std::size_t packet = 1; packet < 100; ++packet) {
    const auto gap = pacer.of(40ms, 100).due(start, packet) - pacer.of(40ms, 100).due(start, packet - 1);
    CHECK(gap >= 360us - 1ns);
    CHECK(gap <= 360us + 1ns);
  }
  CHECK(pacer.of(40ms, 100).due(start, 99) < start + 36ms);
}

TEST_CASE("a late sender catches up gradually") {
  for (const double fraction : {0.5, 0.9, 0.96, 1.0}) {
    const Pacer pacer(narrow(fraction));
    const auto spacing = pacer.of(40ms, 100).due(WallTime{}, 4) - WallTime{};
    CHECK(pacer.of(40ms, 100).least_gap(4) < spacing);        // it does catch up,
    CHECK(pacer.of(40ms, 100).least_gap(4) > spacing * 0.9);  // but not at once
    const Pacer hasty(paced(fraction));
    CHECK(hasty.of(40ms, 100).least_gap(4) < spacing * 0.7);
    CHECK(hasty.of(40ms, 100).least_gap(4) > spacing * 0.5);
  }
  CHECK(Pacer(paced(1, Pacing::none)).of(40ms, 100).least_gap(4) == 0ns);
}

TEST_CASE("without pacing all packets are due at once") {
  const Pacer pacer(paced(0.9, Pacing::none));
  const WallTime start{1000s};
  CHECK(pacer.of(40ms, 100).due(start, 0) == start);
  CHECK(pacer.of(40ms, 100).due(start, 99) == start);
}

TEST_CASE("if the playout delay leaves less than the fraction, packets are spread over that") {
  auto wall = paced(0.9);
  wall.frame_rate = {10, 1};
  wall.streaming.playout_delay = 80ms;
  const WallTime start{1000s};
  for (const auto interval : {100ms, 200ms, 1000ms}) {
    const Pacer pacer(wall);
    CHECK(pacer.of(interval, 100).due(start, 50) == start + 35ms);
    CHECK(pacer.of(interval, 100).due(start, 99) < start + 70ms);
    CHECK(pacer.of(interval, 100).least_gap(100) == 42ms);
  }
  wall.sync.mode = SyncMode::wall;
  CHECK(Pacer(wall).of(1000ms, 100).due(start, 50) == start + 29ms);
  // A wall of 30 frame/s needs 30 ms for its own frames: slower ones leave 30 ms of the other 40 for a resend.
  wall.sync.mode = SyncMode::tile;
  wall.frame_rate = {30, 1};
  CHECK(Pacer(wall).of(1000ms, 100).due(start, 50) == start + 20ms);
}

// With the ticks of the playback thread: of every rate, played at any speed, and paused.
TEST_CASE("with the defaults the last packet of a frame leaves in time, at every rate of wall and visualization") {
  std::minstd_rand random(1);
  for (const auto mode : {SyncMode::tile, SyncMode::wall}) {
    for (int hertz = 1; hertz <= 240; ++hertz) {
      Wall wall;
      wall.frame_rate = {hertz, 1};
      wall.sync.mode = mode;
      wall.streaming.playout_delay = default_playout_delay(wall.frame_rate, mode);
      const Pacer pacer(wall);
      for (int rate = 1; rate <= 240; ++rate) {
        auto line = Line::over(0, WallTime{1000s}, {rate, 1}, 100, 0);
        line.set_rate(0.25 * static_cast<double>(1 + random() % 32));
        line.set_paused(random() % 4 == 0);
        for (int tick = 0; tick < 3; ++tick) {
          const auto packets = 2 + random() % 20'000;
          const auto interval = line.interval(tick);
          const auto last = pacer.of(interval, packets).due(line.media_time(tick), packets - 1) - line.media_time(tick);
          INFO(hertz << " frame/s, a visualization of " << rate);
          // A frame that was delayed at its first packet catches up.
          const bool catches_up = pacer.of(interval, packets).least_gap(packets - 1) <= last;
          const auto limit = wall.streaming.playout_delay - send_margin(mode) - assumed_round_trip;
          REQUIRE((last <= limit && last < interval && catches_up));
        }
      }
    }
  }
}

// On a busy host a thread wakes up late for each run: 5 ms where a frame of 100 ms leaves in runs 9 ms apart.
TEST_CASE("wake-ups that are late by less than the distance of runs do not add up") {
  std::minstd_rand random(2);
  for (int hertz = 1; hertz <= 240; ++hertz) {
    Wall wall;
    wall.frame_rate = {hertz, 1};
    wall.streaming.playout_delay = default_playout_delay(wall.frame_rate, SyncMode::tile);
    const Pacer pacer(wall);
    const auto interval = wall.frame_rate.duration_of(1);
    const std::size_t count = 7;
    const std::size_t packets = count * (2 + random() % 60);
    const auto apart = pacer.of(interval, packets).due(WallTime{}, count) - WallTime{};
    WallTime soonest{};
    for (int frame = 0; frame < 20; ++frame) {
      const auto media_time = WallTime{1000s} + wall.frame_rate.duration_of(frame);
      for (std::size_t packet = 0; packet < packets; packet += count) {
        const auto due = pacer.of(interval, packets).due(media_time, packet);
        const auto leaves = std::max(due, soonest) + Nanoseconds{static_cast<std::int64_t>(random()) % apart.count()};
        INFO(hertz << " frame/s, frame " << frame << ", packet " << packet << " of " << packets);
        REQUIRE(leaves - due <= apart);
        soonest = pacer.of(interval, packets).not_before(soonest, leaves, count);
      }
    }
  }
}

TEST_CASE("after a stall no more than four runs leave in the time of one") {
  const Pacer pacer(paced(0.9));
  const auto apart = pacer.of(100ms, 140).due(WallTime{}, 7) - WallTime{};
  WallTime now{1000s}, soonest{};
  std::vector<WallTime> left;
  for (int run = 0; run < 12; ++run) {  // all of them are overdue
    now = std::max(now, soonest);
    left.push_back(now);
    soonest = pacer.of(100ms, 140).not_before(soonest, now, 7);
  }
  for (std::size_t run = 4; run < left.size(); ++run) CHECK(left[run] - left[run - 4] >= apart);
  CHECK(left.back() - left.front() < apart * 8);  // it does catch up
}
