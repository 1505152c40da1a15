// A line arrives at another server as it was announced, and values that no line can have are refused.
#include "server/control/line_messages.h"

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
  auto before = Line::nothing(0);
  if (below(2) == 0) before = Line::over(0, WallTime{}, {30, 1}, 10, 0);
  line.number_after(before, static_cast<PixelFormat>(below(FrameCounts::formats)));
  AnnouncedLine announced{1 + below(1000), line.from(line.first_tick() + below(5000)), "film", "0123456789abcdef",
                          WallStart::random()};
  for (unsigned id = 1 + below(4); id > 1; --id) {
    announced.playlist.entries.push_back(
        {id, "entry " + std::to_string(id), {}, 1.5, {std::chrono::seconds{below(3)}}});
    if (below(2) == 0) announced.digests[announced.playlist.entries.back().name] = "digest";
  }
  if (below(2) == 0)
    announced.coming = {"next",
                        "digest",
                        WallTime{Nanoseconds{1'700'000'000'000'000'123}},
                        below(9),
                        below(2) == 0,
                        std::chrono::seconds{1},
                        PlaylistEntry{7, "next", 2, {}}};
  const WallTime at{std::chrono::seconds{1'700'000'000 + below(100)}};
  using std::chrono::seconds;
  if (below(2) == 0) announced.fades.add({at, at + seconds{1}, at + seconds{2}, at + seconds{3}});
  if (below(2) == 0) announced.sound = {-0.5 * below(120), below(2) == 0};
  for (unsigned flow = 0; flow < 4; ++flow) {
    if (below(2) == 0) continue;
    auto& parity = announced.parity[flow];
    parity.on = below(2) == 0;
    for (auto& frames : parity.at.of) frames = below(1000);
    for (auto& frames : parity.without.of) frames = below(1000);
  }
  return announced;
}

}  // namespace

TEST_CASE("the law: a line that was sent as a message is the same line") {
  std::mt19937 random{3};
  for (int i = 0; i < 2000; ++i) {
    const auto announced = drawn(random);
    const auto read = read_message<LineMessage>(to_json(to_message(announced, 3)));
    REQUIRE(read.has_value());
    const auto arrived = from_message(*read);
    REQUIRE(arrived.line == announced.line);
    REQUIRE(arrived.number == announced.number);
    REQUIRE(arrived.name == announced.name);
    REQUIRE(arrived.digest == announced.digest);
    REQUIRE(arrived.start == announced.start);
    REQUIRE(arrived.playlist == announced.playlist);
    REQUIRE(arrived.digests == announced.digests);
    REQUIRE(arrived.coming == announced.coming);
    REQUIRE(arrived.fades == announced.fades);
    REQUIRE(arrived.sound == announced.sound);
    REQUIRE(arrived.parity == announced.parity);
  }
}

// They refuse more numbers than three.
TEST_CASE("without frames of compressed blocks, a line is as servers expect it that do not know these") {
  AnnouncedLine announced{1, Line::over(0, WallTime{}, {30, 1}, 10, 0), "film", "0123456789abcdef",
                          WallStart::random()};
  announced.parity[0].at[PixelFormat::ycbcr422_8] = 7;
  const auto plain = to_json(to_message(announced, 3));
  CHECK(plain["parity"][0]["at"] == Json::array({0, 7, 0}));
  CHECK_FALSE((plain.contains("bc7_before") || plain.contains("bc1_before")));
  announced.parity[0].without[PixelFormat::bc7] = 2;
  CHECK(to_json(to_message(announced, 3))["parity"][0]["without"] == Json::array({0, 0, 0, 2}));
}

TEST_CASE("a line with values that no line has is refused") {
  std::mt19937 random{4};
  const auto good = to_json(to_message(drawn(random), 3));
  const auto refused = [&](const char* member, const Json& value) {
    auto json = good;
    json[member] = value;
    INFO(json.dump());
    CHECK_FALSE(read_message<LineMessage>(json).has_value());
  };
  refused("position", -1);
  refused("position", std::int64_t{1} << 50);
  refused("step", 0);
  refused("played_ns", -1);
  refused("digests", Json::array({"a", "b", "c", "d", "e"}));
  refused("coming", Json{{"name", "next"}});
  refused("step", std::int64_t{9} << 20);
  refused("rate_numerator", 0);
  refused("rate_denominator", 1'000'000);
  refused("ticks_before", 1'000'000);
  refused("out", -1);
  refused("first_tick", -5);
  refused("format", "rgb9");
  refused("rgb8_before", -1);
  refused("start", "0123");
  refused("start_ns", "now");
  refused("name", "");
  refused("generation", 65536);
  const auto parity = [](const Json& at) {
    return Json::array({{{"flow", 1}, {"on", true}, {"at", at}, {"without", {0, 0, 0}}}});
  };
  refused("parity", parity({1, 2}));
  refused("parity", parity(std::vector<int>(FrameCounts::formats + 1, 1)));
  refused("parity", parity({1, 2, -3}));
}
