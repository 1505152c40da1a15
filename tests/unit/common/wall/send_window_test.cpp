// Pins that a frame can leave in time for its presentation, for every frame rate of a wall, with the defaults and with
// the values a wall file may set. A number in an error's fix works; the next one beyond it does not.
#include "common/wall/send_window.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <regex>

namespace lw {
namespace {

using std::chrono::milliseconds;

std::string wall_text(const std::string& rate, const std::string& streaming, const std::string& sync = "tile") {
  return fmt::format(R"([wall]
name = "test"
columns = 1
rows = 1
tile_width = 64
tile_height = 40
frame_rate = "{}"

[[node]]
name = "a"
address = "127.0.0.1"
tiles = [{{ column = 0, row = 0 }}]

[[server]]
name = "s"

[sync]
mode = "{}"

[streaming]
{}
)",
                     rate, sync, streaming);
}

// The line of the only key of [streaming].
constexpr auto first_key = "w.toml:21: ";

// The first number after `word` in an error's fix.
std::string number_behind(const std::string& text, const std::string& word) {
  std::smatch match;
  INFO(text);
  REQUIRE(std::regex_search(text, match, std::regex(word + "([0-9.]*[0-9])")));
  return match[1];
}

TEST_CASE("by default a frame has the full time of pace_fraction, and an exchange, at every rate") {
  for (const std::string sync : {"tile", "wall"}) {
    for (int hertz = 1; hertz <= 240; ++hertz) {
      INFO(hertz << " frame/s, " << sync);
      const auto wall = parse_wall(wall_text(std::to_string(hertz), "", sync), "w.toml").value();
      const auto interval = wall.frame_rate.duration_of(1);
      const auto margin = send_margin(wall.sync.mode);
      const auto delay = wall.streaming.playout_delay;
      CHECK(SendWindow(wall).of(interval) == SendWindow(wall).asked(interval));
      CHECK(SendWindow(wall).haste(interval) == 1);
      CHECK(delay >= interval + assumed_round_trip + margin);
      CHECK(delay >= default_delay_least);
      CHECK(delay <
            std::max<Nanoseconds>(default_delay_least, interval + assumed_round_trip + margin) + milliseconds{1});
    }
  }
  CHECK(default_playout_delay({5, 1}, SyncMode::tile) == milliseconds{240});
  CHECK(default_playout_delay({10, 1}, SyncMode::tile) == milliseconds{140});
  CHECK(default_playout_delay({24000, 1001}, SyncMode::tile) == milliseconds{82});
  for (const int hertz : {25, 30, 50, 60, 120, 240})
    CHECK(default_playout_delay({hertz, 1}, SyncMode::tile) == milliseconds{80});
  CHECK(default_playout_delay({30, 1}, SyncMode::wall) == milliseconds{86});
}

TEST_CASE("a wall file without [streaming] also has the delay of its rate") {
  auto text = wall_text("5", "");
  text.erase(text.find("[streaming]"));
  CHECK(parse_wall(text, "w.toml")->streaming.playout_delay == milliseconds{240});
}

TEST_CASE("a delay that leaves no time is an error, whose number works") {
  for (const std::string sync : {"tile", "wall"}) {
    for (const std::string pacing : {"linear", "none"}) {
      for (int hertz = 1; hertz <= 240; ++hertz) {
        INFO(hertz << " frame/s, " << sync << ", " << pacing);
        const auto with = [&](const std::string& delay) {
          return parse_wall(wall_text(std::to_string(hertz),
                                      fmt::format("playout_delay_ms = {}\npacing = \"{}\"", delay, pacing), sync),
                            "w.toml");
        };
        const auto none = with("0");
        REQUIRE(!none.has_value());
        CHECK_THAT(none.error().what, Catch::StartsWith(first_key) && Catch::Contains("playout_delay_ms = 0"));
        const auto least = std::stoi(number_behind(none.error().mend, "use "));
        CHECK(with(std::to_string(least)).has_value());
        CHECK_FALSE(with(std::to_string(least - 1)).has_value());
        const auto fallback = number_behind(none.error().mend, "default of ");
        CHECK(with(fallback)->streaming.playout_delay ==
              parse_wall(wall_text(std::to_string(hertz), "", sync), "w")->streaming.playout_delay);
      }
    }
  }
}

TEST_CASE("a fraction that the delay does not leave is an error, whose numbers work") {
  const auto with = [](const std::string& fraction, const std::string& delay) {
    return parse_wall(wall_text("10", fmt::format("pace_fraction = {}\nplayout_delay_ms = {}", fraction, delay)),
                      "w.toml");
  };
  const auto wrong = with("0.9", "80");
  REQUIRE(!wrong.has_value());
  CHECK_THAT(wrong.error().what,
             Catch::StartsWith(first_key) && Catch::Contains("pace_fraction = 0.9") && Catch::Contains("70 ms"));
  CHECK(with(number_behind(wrong.error().mend, "pace_fraction = "), "80").has_value());
  CHECK(with("0.9", number_behind(wrong.error().mend, "playout_delay_ms = ")).has_value());
  CHECK_FALSE(with("0.9", "99").has_value());
  CHECK_FALSE(with("0.71", "80").has_value());
  CHECK(with("0.70", "80").has_value());

  std::minstd_rand random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto rate = std::to_string(1 + random() % 240);
    const auto fraction = fmt::format("{:.2f}", 0.1 + 0.01 * static_cast<double>(random() % 91));
    const auto delay = std::to_string(random() % 1200);
    const auto parse = [&](const std::string& f, const std::string& d) {
      return parse_wall(wall_text(rate, fmt::format("pace_fraction = {}\nplayout_delay_ms = {}", f, d)), "w.toml");
    };
    INFO(rate << " frame/s, " << fraction << ", " << delay << " ms");
    const auto wall = parse(fraction, delay);
    if (wall) {
      const SendWindow window(*wall);
      CHECK(window.of(wall->frame_rate.duration_of(1)) == window.asked(wall->frame_rate.duration_of(1)));
    } else if (wall.error().what.find("pace_fraction") != std::string::npos) {
      CHECK(parse(number_behind(wall.error().mend, "pace_fraction = "), delay).has_value());
      CHECK(parse(fraction, number_behind(wall.error().mend, "playout_delay_ms = ")).has_value());
    } else {
      CHECK(parse("0.1", number_behind(wall.error().mend, "use ")).has_value());
    }
  }
}

TEST_CASE("a greatest delay below the default of the rate is an error, whose number works") {
  const auto with = [](const std::string& most) {
    return parse_wall(wall_text("5", "playout_delay_max_ms = " + most), "w.toml");
  };
  const auto wrong = with("200");
  REQUIRE(!wrong.has_value());
  CHECK_THAT(wrong.error().what, Catch::Contains("less than playout_delay_ms = 240, the default"));
  CHECK(with(number_behind(wrong.error().mend, "more than ")).has_value());
}

TEST_CASE("whatever a wall file names, a frame of any rate leaves before its presentation less the margin") {
  std::minstd_rand random(2);
  unsigned read = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto hertz = 1 + static_cast<int>(random() % 240);
    const std::string sync = random() % 2 == 0 ? "tile" : "wall";
    auto streaming = random() % 3 == 0 ? "" : fmt::format("playout_delay_ms = {}\n", 1 + random() % 600);
    if (random() % 3 == 0)
      streaming += fmt::format("pace_fraction = {:.2f}\n", 0.1 + 0.01 * static_cast<double>(random() % 91));
    if (random() % 4 == 0) streaming += "playout_delay_max_ms = 10000\n";
    if (random() % 5 == 0) streaming += "pacing = \"none\"\n";
    const auto wall = parse_wall(wall_text(std::to_string(hertz), streaming, sync), "w.toml");
    if (!wall) continue;
    ++read;
    const SendWindow window(*wall);
    for (int rate = 1; rate <= 240; ++rate) {
      const auto interval = FrameRate{rate, 1}.duration_of(1);
      INFO(hertz << " frame/s, " << sync << ", a visualization of " << rate << "\n" << streaming);
      REQUIRE(window.of(interval) + send_margin(wall->sync.mode) <= wall->streaming.playout_delay);
      REQUIRE(window.of(interval) <= window.asked(interval));
      const bool paced = wall->streaming.pacing != Pacing::none;
      REQUIRE((window.of(interval) > Nanoseconds{0}) == paced);
      if (paced)
        REQUIRE(window.haste(interval) * static_cast<double>(window.of(interval).count()) ==
                Approx(static_cast<double>(window.asked(interval).count())));
      // Slower than the wall: never sent faster than the wall's own frames.
      if (rate <= hertz) REQUIRE(window.of(interval) >= window.of(wall->frame_rate.duration_of(1)));
    }
  }
  CHECK(read > 500);
}

}  // namespace
}  // namespace lw
