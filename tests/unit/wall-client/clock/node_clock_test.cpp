// Pins how a node follows the server's clock: set at the first answer, slewed from then on, set again when the server
// has another clock, held during silence; only answers to its own questions count.
#include "wall-client/clock/node_clock.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

// A server on this host whose clock is ahead of the system's.
struct Beside {
  NodeClock clock;
  Nanoseconds ahead{10s};

  static ClockReading reading() {
    for (;;)
      if (const auto now = read_clocks()) return *now;
  }
  void exchange() {
    clock.step(reading());
    const auto asked = clock.next_request(RawClock::now());
    if (!asked) return;
    const WallTime server{std::chrono::system_clock::now().time_since_epoch() + ahead};
    clock.take_reply(*asked, server, server, std::chrono::system_clock::now());
    clock.step(reading());
  }
  void exchanges(int count) {
    for (int i = 0; i < count; ++i, std::this_thread::sleep_for(11ms)) exchange();
  }
  static Nanoseconds ahead_now() {
    const auto wall = WallClock::now();
    return wall.time_since_epoch() - std::chrono::system_clock::now().time_since_epoch();
  }
};

}  // namespace

TEST_CASE("a node's clock is the server's from the first answer on") {
  Beside beside;
  CHECK(beside.clock.stats().state == ClockState::waiting);
  CHECK_FALSE(beside.clock.stats().error);
  CHECK_FALSE(wall_clock_known());
  beside.exchanges(1);
  CHECK(wall_clock_known());
  CHECK(std::chrono::abs(Beside::ahead_now() - beside.ahead) < 50ms);
  const auto stats = beside.clock.stats();
  CHECK(stats.state == ClockState::kept);
  CHECK(stats.steps == 1);
  CHECK(stats.error.value() < 50ms);
  CHECK(std::chrono::abs(stats.offset.value() - beside.ahead) <= *stats.error + 1ms);

  SECTION("questions are put after another, not at once") {
    const auto now = RawClock::now() + 200ms;
    CHECK(beside.clock.next_request(now));
    CHECK_FALSE(beside.clock.next_request(now));
    CHECK(beside.clock.next_request(now + 200ms));
  }
  SECTION("an answer counts once, and only to a question") {
    const auto asked = beside.clock.next_request(RawClock::now() + 200ms).value();
    const WallTime wrong{20'000s};
    beside.clock.take_reply(asked + 1ns, wrong, wrong, std::chrono::system_clock::now());
    beside.clock.take_reply(RawTime{}, wrong, wrong, std::chrono::system_clock::now());
    beside.clock.step(Beside::reading());
    CHECK(beside.clock.stats().steps == 1);
  }
  SECTION("a server with another clock sets it again") {
    beside.ahead = -3s;
    beside.exchanges(2);
    CHECK(std::chrono::abs(Beside::ahead_now() - beside.ahead) < 50ms);
    CHECK(beside.clock.stats().steps == 2);
  }
  SECTION("without answers it continues, and reports that") {
    auto later = Beside::reading();
    later.raw += 10s;
    later.system += 10s;
    beside.clock.step(later);
    CHECK(beside.clock.stats().state == ClockState::holdover);
    CHECK(*beside.clock.stats().error >= 1ms);
  }
}

TEST_CASE("a well-known clock is slewed, not set") {
  Beside beside;
  beside.exchanges(130);
  CHECK(beside.clock.stats().steps == 1);
  const auto before = Beside::ahead_now();
  // Within what the exchanges so far allow; otherwise it would be another clock.
  beside.ahead += 5us;
  beside.exchanges(10);
  CHECK(beside.clock.stats().steps == 1);
  CHECK(std::chrono::abs(Beside::ahead_now() - before) < 5ms);
}
