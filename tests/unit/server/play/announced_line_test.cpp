// A line arrives at another server as it was announced, and values that no line can have are refused.
#include "server/play/announced_line.h"

#include "common/messages/message.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;

namespace {

AnnouncedLine drawn(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  const auto count = 1 + below(1000);
  auto line = Line::over(below(100'000), WallTime{std::chrono::milliseconds{1'700'000'000'000 + random() % 100'000}},
                         {static_cast<std::int32_t>(30 + below(30)), 1}, count, below(count));
  line.set_generation(static_cast<std::uint16_t>(below(65536)));
  line.set_rate(0.25 * (1 + below(32)) * (below(2) == 0 ? 1 : -1));
  line.set_loop(below(2) == 0);
  if (below(2) == 0) line.set_times(below(9));
  line.set_paused(below(4) == 0);
  return {1 + below(1000), line.from(line.first_tick() + below(5000)), "film", "0123456789abcdef"};
}

}  // namespace

TEST_CASE("the law: a line that was sent as a message is the same line") {
  std::mt19937 random{3};
  for (int i = 0; i < 2000; ++i) {
    const auto announced = drawn(random);
    const auto read = read_message<LineMessage>(to_json(to_message(announced)));
    REQUIRE(read.has_value());
    const auto arrived = from_message(*read);
    REQUIRE(arrived.line == announced.line);
    REQUIRE(arrived.number == announced.number);
    REQUIRE(arrived.name == announced.name);
    REQUIRE(arrived.digest == announced.digest);
  }
}

TEST_CASE("the law: what follows from an accepted line fits into 64 bits, at most once the distance away") {
  __extension__ using Wide = __int128;
  std::mt19937_64 random{5};
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  unsigned accepted = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    Line::Parts parts;
    parts.plays = true;
    parts.first_tick = below(std::int64_t{1} << (1 + below(40)));
    parts.start = WallTime{Nanoseconds{below(std::int64_t{1} << 62U)}};
    parts.frame_rate = {static_cast<std::int32_t>(1 + below(240)), 1};
    parts.range = {0, static_cast<std::uint32_t>(below(std::int64_t{1} << 31U))};
    parts.position = FramePosition::of(parts.range.last);
    parts.step = (8 - below(17)) * (std::int64_t{1} << 20U);
    if (parts.step == 0) parts.step = 1;
    const Line line(parts);
    const auto here = below(std::int64_t{1} << (1 + below(40)));
    const bool near = check_first_tick(line, here).has_value();
    ++(near ? accepted : refused);
    if (!near) continue;
    // A line before this one that was accepted as well may have taken the server to the other side of `here`.
    const auto tick = line.first_tick() + 2 * std::abs(here - line.first_tick());
    const auto length = static_cast<Wide>(parts.range.last + 1) << 20U;
    auto place =
        (static_cast<Wide>(parts.position.units) + static_cast<Wide>(tick - parts.first_tick) * parts.step) % length;
    if (place < 0) place += length;
    REQUIRE(line.at(tick).position.units == static_cast<std::int64_t>(place));
    const auto later = static_cast<Wide>(tick - parts.first_tick) * 1'000'000'000 / parts.frame_rate.numerator;
    REQUIRE(static_cast<Wide>((line.media_time(tick) - parts.start).count()) == later);
    REQUIRE(line.media_time(tick) >= parts.start);
  }
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("a line that begins far from a server's ticks is refused with both") {
  const auto line = Line::over(0, WallTime{std::chrono::seconds{1'700'000'000}}, {240, 1}, 100, 0);
  CHECK(check_first_tick(line, std::int64_t{1} << 38U).has_value());
  const auto far = check_first_tick(line, std::int64_t{1} << 40U);
  REQUIRE_FALSE(far.has_value());
  CHECK(far.error().text().find("tick 1099511627776") != std::string::npos);
}

TEST_CASE("a line with values that no line has is refused") {
  std::mt19937 random{4};
  const auto good = to_json(to_message(drawn(random)));
  const auto refused = [&](const char* member, const Json& value) {
    auto json = good;
    json[member] = value;
    INFO(json.dump());
    CHECK_FALSE(read_message<LineMessage>(json).has_value());
  };
  refused("position", -1);
  refused("position", std::int64_t{1} << 50);
  refused("step", 0);
  refused("step", std::int64_t{9} << 20);
  refused("rate_numerator", 0);
  refused("rate_denominator", 1'000'000);
  refused("ticks_before", 1'000'000);
  refused("out", -1);
  refused("first_tick", -5);
  refused("start_ns", "now");
  refused("name", "");
  refused("generation", 65536);
}
