// Pins when the playout delay grows and shrinks: at once and for the slowest flow, within bounds, and back only when
// less has been enough for a while.
#include "server/sync/playout_control.h"

#include "common/wall/send_window.h"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

StreamingSettings between(std::chrono::milliseconds least, std::chrono::milliseconds most) {
  StreamingSettings streaming;
  streaming.playout_delay = least;
  streaming.playout_delay_max = most;
  return streaming;
}

struct Playing {
  PlayoutControl control{between(60ms, 400ms)};
  SyncMode mode = SyncMode::tile;
  std::vector<FlowFeedback> flows{3};
  WallTime now{100'000s};
  LocalTime local{50s};

  void need(std::size_t flow, std::chrono::milliseconds delay) {
    flows[flow].delay_needed = delay;
    flows[flow].heard = local;
  }
  // The receivers repeat their reports. Longest delay of a frame sent in the meantime.
  Nanoseconds play(std::chrono::milliseconds time) {
    Nanoseconds longest{0};
    for (const auto end = now + time; now < end; now += 10ms, local += 10ms) {
      for (auto& flow : flows)
        if (flow.heard) flow.heard = local;
      longest = std::max(longest, step().at(now));
    }
    return longest;
  }
  const PlayoutRamp& step() { return control.step(delay_needed(flows, mode, local), now, local); }
  Nanoseconds delay() { return step().at(now); }
  std::optional<unsigned> slowest_flow() const {
    const auto need = delay_needed(flows, mode, local);
    return need ? std::optional(need->flow) : std::nullopt;
  }
};

}  // namespace

TEST_CASE("without requests the delay is the minimum") {
  Playing playing;
  CHECK(playing.play(2s) == 60ms);
  CHECK_FALSE(playing.slowest_flow());
}

TEST_CASE("the delay gradually grows to what the slowest flow needs") {
  Playing playing;
  for (std::size_t flow = 0; flow < 3; ++flow) playing.need(flow, 30ms);
  REQUIRE(playing.play(1s) == 60ms);
  playing.need(1, 150ms);
  const auto& ramp = playing.step();
  CHECK(ramp.start == playing.now + 400ms);  // announced often before it begins
  CHECK(ramp.to == 165ms);                   // a margin to show it in, and some reserve
  CHECK(ramp.length == 10 * 105ms);
  CHECK(playing.play(400ms) == 60ms);
  playing.play(1100ms);
  CHECK(playing.delay() == 165ms);
  CHECK(playing.slowest_flow() == 1);
}

// The window in which a frame is sent follows from the least delay: if it followed from the present one, it would grow
// with the delay, and the delay with it.
TEST_CASE("on a slow wall the longer time for frames does not make the delay grow") {
  for (const auto& [least, settles] : {std::pair{240ms, 240ms}, {80ms, 87ms}}) {
    Wall wall;
    wall.frame_rate = {5, 1};
    wall.streaming = between(least, 1000ms);
    const SendWindow window(wall);
    Playing playing{PlayoutControl(wall.streaming)};
    const auto flight = 2ms;
    const auto takes = window.of(200ms) + flight;
    playing.need(0, std::chrono::duration_cast<std::chrono::milliseconds>(takes));
    playing.play(60s);
    CHECK(playing.delay() == settles);
  }
}

// A frame that all tiles hold must be committed before it is shown: the report and the commitment take a round trip and
// a half on the longest path (WallSync leaves a whole one for the commitment).
TEST_CASE("where all tiles show a frame or none, the delay also covers report and commitment") {
  Playing playing{.mode = SyncMode::wall};
  playing.need(0, 150ms);
  playing.need(1, 120ms);
  playing.flows[0].round_trip = 20ms;
  playing.flows[1].round_trip = 90ms;
  playing.play(5s);
  CHECK(playing.delay() == 120ms + 45ms + 90ms + send_margin(SyncMode::wall) + 5ms);
  CHECK(playing.slowest_flow() == 1);
}

TEST_CASE("it stays within its bounds") {
  Playing playing;
  playing.need(0, 5000ms);
  CHECK(playing.play(10s) == 400ms);
  playing.need(0, 1ms);
  playing.play(60s);
  CHECK(playing.delay() == 60ms);
}

TEST_CASE("it grows soon, even while it shrinks by much") {
  Playing playing;
  playing.need(0, 385ms);
  playing.play(10s);
  REQUIRE(playing.delay() == 400ms);
  playing.need(0, 50ms);
  playing.play(15s);
  REQUIRE(playing.delay() < 380ms);
  playing.need(0, 385ms);
  playing.play(4s);
  CHECK(playing.delay() == 400ms);
}

TEST_CASE("it shrinks once less has been enough for a while, in steps, to almost what was enough") {
  Playing playing;
  playing.need(0, 200ms);
  playing.play(5s);
  REQUIRE(playing.delay() == 215ms);
  playing.need(0, 100ms);
  CHECK(playing.play(9s) == 215ms);
  playing.need(0, 120ms);
  playing.play(20s);
  CHECK(playing.delay() == 135ms);
}

TEST_CASE("a small decrease does not cause a change") {
  Playing playing;
  playing.need(0, 200ms);
  playing.play(5s);
  playing.need(0, 195ms);
  playing.play(60s);
  CHECK(playing.delay() == 215ms);
}

TEST_CASE("a receiver that fell silent no longer counts") {
  Playing playing;
  playing.need(0, 40ms);
  playing.flows[1].delay_needed = 300ms;
  playing.flows[1].heard = playing.local - 2s;
  CHECK(playing.step().to == 60ms);
}

TEST_CASE("after the clock was set back it continues from its current value") {
  Playing playing;
  playing.need(0, 200ms);
  playing.play(5s);
  playing.now -= 1h;
  CHECK(playing.delay() == 215ms);
  playing.need(0, 300ms);
  playing.play(5s);
  CHECK(playing.delay() == 315ms);
}

TEST_CASE("of the needs of several servers the longer one counts") {
  const NeededDelay near{90ms, 0};
  const NeededDelay far{120ms, 7};
  CHECK(longer(near, far) == far);
  CHECK(longer(far, near) == far);
  CHECK(longer({}, near) == near);
  CHECK(longer(near, {}) == near);
  CHECK_FALSE(longer({}, {}));
}

TEST_CASE("a change begins later by the time in which other servers hear of it") {
  Playing playing;
  const auto& ramp = playing.control.step(NeededDelay{150ms, 0}, playing.now, playing.local, 2100ms);
  CHECK(ramp.start == playing.now + 2500ms);
  // It is not taken for one from before the clock was set back.
  CHECK(playing.control.step({}, playing.now, playing.local, 2100ms) == ramp);
}

TEST_CASE("a server that decides from now on continues with the newest decision of the one before it") {
  Playing playing;
  const PlayoutRamp decided{playing.now - 5s, 60ms, 200ms, 1400ms};
  playing.control.keep_to(decided);
  playing.need(0, 180ms);
  CHECK(playing.step() == decided);
  playing.need(0, 250ms);
  CHECK(playing.step().from == 200ms);
}
