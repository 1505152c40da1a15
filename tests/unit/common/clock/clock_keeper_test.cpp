// Pins how a host follows the server's clock: set at the first answer, slewed from then on, set again when the server
// has another clock, held during silence; only answers to its own questions count. Two nodes of one process have two
// clocks.
#include "common/clock/clock_keeper.h"

#include "common/clock/kept_clock.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

// A host whose clocks pass on request.
class Host final : public ClockKeeping {
public:
  [[nodiscard]] RawTime counter() const override { return raw; }
  [[nodiscard]] std::optional<ClockReading> read() const override { return ClockReading{raw, system}; }
  void expect() override { wall.expect(); }
  void keep(const WallClockLine& line) override { wall.keep(line); }
  void follow_system() override { wall.follow_system(); }

  void pass(Nanoseconds time) {
    raw += time;
    system += time;
  }

  RawTime raw{1000s};
  SystemTime system{1'800'000'000s};
  KeptClock wall;
};

// A server whose clock is ahead of the system clock of the node's host, 1 ms away in each direction.
struct Beside {
  Host host;
  ClockKeeper clock{host};
  Nanoseconds ahead{10s};
  Nanoseconds there{1ms}, back{1ms};

  [[nodiscard]] WallTime server() const { return WallTime{host.system.time_since_epoch() + ahead}; }
  void exchange() {
    clock.step();
    const auto asked = clock.next_request();
    if (!asked) return;
    host.pass(there);
    const auto answer = server();
    host.pass(back);
    clock.take_reply(*asked, answer, answer, host.system);
    clock.step();
  }
  void exchanges(int count) {
    for (int i = 0; i < count; ++i, host.pass(11ms)) exchange();
  }
  [[nodiscard]] Nanoseconds error() const { return host.wall.line()->at_raw(host.raw) - server(); }
};

}  // namespace

TEST_CASE("a node's clock is the server's from the first answer on") {
  Beside beside;
  CHECK(beside.clock.stats().state == ClockState::waiting);
  CHECK_FALSE(beside.clock.stats().error);
  CHECK_FALSE(beside.host.wall.known());
  beside.exchange();
  CHECK(beside.host.wall.known());
  CHECK(std::chrono::abs(beside.error()) < 10us);
  const auto stats = beside.clock.stats();
  CHECK(stats.state == ClockState::kept);
  CHECK(stats.steps == 1);
  CHECK(stats.error.value() < 2ms);
  CHECK(std::chrono::abs(stats.offset.value() - beside.ahead) <= *stats.error);

  SECTION("questions are put after another, not at once") {
    beside.host.pass(200ms);
    CHECK(beside.clock.next_request());
    CHECK_FALSE(beside.clock.next_request());
    beside.host.pass(200ms);
    CHECK(beside.clock.next_request());
  }
  SECTION("an answer counts once, and only to a question") {
    beside.host.pass(200ms);
    const auto asked = beside.clock.next_request().value();
    const WallTime wrong{20'000s};
    beside.clock.take_reply(asked + 1ns, wrong, wrong, beside.host.system);
    beside.clock.take_reply(RawTime{}, wrong, wrong, beside.host.system);
    beside.clock.step();
    CHECK(beside.clock.stats().steps == 1);
  }
  SECTION("an answer around which the system clock was set is ignored") {
    beside.host.pass(200ms);
    const auto asked = beside.clock.next_request().value();
    beside.host.system += 1h;
    const WallTime wrong{20'000s};
    beside.clock.take_reply(asked, wrong, wrong, beside.host.system);
    beside.clock.step();
    CHECK(beside.clock.stats().steps == 1);
  }
  SECTION("a server with another clock sets it again") {
    beside.ahead = -3s;
    beside.exchanges(2);
    CHECK(std::chrono::abs(beside.error()) < 10us);
    CHECK(beside.clock.stats().steps == 2);
  }
  SECTION("without answers it continues, and reports that") {
    beside.host.pass(10s);
    beside.clock.step();
    CHECK(beside.clock.stats().state == ClockState::holdover);
    CHECK(*beside.clock.stats().error >= 1ms);
  }
}

TEST_CASE("a well-known clock is slewed, not set") {
  Beside beside;
  beside.exchanges(130);
  CHECK(beside.clock.stats().steps == 1);
  // Within what the exchanges so far allow; otherwise it would be another clock.
  beside.ahead += 5us;
  beside.exchanges(10);
  CHECK(beside.clock.stats().steps == 1);
  CHECK(std::chrono::abs(beside.error()) < 20us);
}

TEST_CASE("nodes in one process keep their own clocks") {
  Beside first;
  Beside second;
  second.ahead = -20s;
  first.exchanges(3);
  CHECK_FALSE(second.host.wall.known());
  second.exchanges(3);
  CHECK(std::chrono::abs(first.error()) < 10us);
  CHECK(std::chrono::abs(second.error()) < 10us);
  CHECK(first.clock.stats().steps == 1);
}

TEST_CASE("after a restart of the server the bound holds for its new clock, however little that differs") {
  Beside beside;
  beside.there = 0ms;  // so that the clock is at an end of what its exchanges prove
  beside.back = 2ms;
  beside.exchanges(200);
  beside.ahead += 700us;
  beside.clock.begin_anew();
  for (int i = 0; i < 100; ++i, beside.host.pass(11ms)) {
    beside.exchange();
    CHECK(std::chrono::abs(beside.error()) <= beside.clock.stats().error.value());
  }
}

TEST_CASE("an answer that arrived before the system clock was set does not count") {
  Beside beside;
  beside.there = 2ms;
  beside.back = 0ms;
  beside.exchanges(200);
  beside.host.pass(200ms);
  const auto asked = beside.clock.next_request();
  REQUIRE(asked);
  beside.host.pass(beside.there);
  const auto answer = beside.server();
  const auto arrived = beside.host.system;
  constexpr auto set = 900us;
  beside.host.system += set;
  beside.ahead -= set;  // the server's was not
  beside.clock.step();
  beside.clock.take_reply(*asked, answer, answer, arrived);
  for (int i = 0; i < 100; ++i, beside.host.pass(11ms)) {
    beside.clock.step();
    CHECK(std::chrono::abs(beside.error()) <= beside.clock.stats().error.value() + 5us);
  }
}

TEST_CASE("a clock that leads continues from where it is, at the rate that it has found") {
  Beside beside;
  beside.exchanges(300);
  const auto before = beside.error();
  beside.ahead += 5ms;  // the server's clock was set: the host's has begun to slew
  beside.exchanges(20);
  const auto wall = beside.host.wall.line()->at_raw(beside.host.raw);
  beside.clock.lead();
  CHECK(beside.host.wall.line()->at_raw(beside.host.raw) == wall);
  CHECK(beside.clock.error() == Nanoseconds{0});
  CHECK(std::abs(beside.host.wall.line()->drift) < 1e-6);  // and no longer slews
  beside.exchanges(20);                                    // what others answer no longer counts
  CHECK(beside.clock.error() == Nanoseconds{0});
  CHECK(std::chrono::abs(before) < 10us);
}

TEST_CASE("a clock that has led slews from the first answer on, and only jumps if it is far off") {
  for (const auto& [off, jumps] : {std::pair{3ms, false}, {50ms, true}}) {
    Beside beside;
    beside.clock.lead();
    beside.ahead = off;
    beside.clock.begin_anew();
    CHECK(beside.host.wall.known());
    const auto steps = beside.host.wall.line()->steps;
    beside.exchange();
    CHECK((beside.host.wall.line()->steps > steps) == jumps);
    CHECK(std::chrono::abs(beside.error()) <= beside.clock.error().value() + 10us);
    beside.exchanges(2000);
    CHECK(std::chrono::abs(beside.error()) < 50us);
  }
}

TEST_CASE("between updates the error is taken to grow as fast as the clock could go wrong") {
  Beside beside;
  beside.exchanges(200);
  const auto at_once = beside.clock.error().value();
  beside.host.pass(10s);
  CHECK(beside.clock.error().value() == at_once + 6ms);
}

TEST_CASE("answers of a server that is not sure widen the error") {
  Beside beside;
  beside.clock.step();
  const auto asked = *beside.clock.next_request();
  beside.host.pass(1ms);
  const auto at = beside.server();
  beside.host.pass(1ms);
  beside.clock.take_reply(asked, at + 4ms, at - 4ms);
  beside.clock.step();
  CHECK(beside.clock.error().value() > 4900us);
  CHECK(beside.clock.error().value() < 5200us);
}
