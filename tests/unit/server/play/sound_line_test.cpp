#include "server/play/sound_line.h"

#include "common/store/sound_file.h"
#include "tests/support/law_rounds.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>

namespace lw {
namespace {

const WallTime start{std::chrono::seconds{1'700'000'000} + Nanoseconds{123'456'789}};

// REQUIRE for millions of samples: its text costs more than what it judges, in sanitizer builds most of a minute.
void assure(bool holds, std::int64_t at) {
  if (!holds) FAIL("not so at sample " << at);
}

// What each sample of [from, to) plays.
template <class Check>
void walk(const Line& line, std::int64_t from, std::int64_t to, Check check) {
  for (auto at = from; at < to;) {
    const auto part = sound_at(line, at);
    REQUIRE(part.count >= 1);
    for (const auto until = std::min(to, at + part.count); at < until; ++at) {
      const auto here = sound_at(line, at);
      // Within a part, samples follow each other.
      assure(here.from.has_value() == part.from.has_value(), at);
      if (part.from) assure(*here.from == *part.from + (part.count - here.count), at);
      check(at, here.from);
    }
  }
}

unsigned draw(std::mt19937& chance, unsigned below) { return static_cast<unsigned>(chance() % below); }

Line random_line(std::mt19937& chance) {
  constexpr FrameRate rates[] = {{24, 1}, {25, 1}, {30'000, 1001}, {30, 1}, {60'000, 1001}, {120, 1}, {7, 3}};
  const std::uint32_t frames = 2 + draw(chance, 40);
  auto line = Line::over(draw(chance, 1'000'000), start + Nanoseconds{draw(chance, 1'000'000'000)},
                         rates[draw(chance, 7)], frames, draw(chance, frames));
  if (draw(chance, 2) == 0) {
    const std::uint32_t first = draw(chance, frames);
    line.set_range({first, first + draw(chance, frames - first)});
  }
  line.set_loop(draw(chance, 4) != 0);
  if (draw(chance, 4) == 0) line.set_times(1 + draw(chance, 3));
  // As after a change while it plays.
  return draw(chance, 2) == 0 ? line : line.from(line.first_tick() + static_cast<std::int64_t>(draw(chance, 30)));
}

TEST_CASE("the sound is that of the frame at the line's time, and runs on without a gap within a repeat") {
  std::mt19937 chance(17);
  for (unsigned round = 0; round < law_rounds(60); ++round) {
    const auto line = random_line(chance);
    const auto rate = line.frame_rate();
    const auto first = first_sample_of(line);
    CAPTURE(round, rate.numerator, rate.denominator, line.range().first, line.range().last);
    std::optional<std::int64_t> before;
    std::uint32_t rounds = 0;
    walk(line, first, first + 96'000, [&](std::int64_t at, std::optional<std::int64_t> from) {
      // The tick of which this sample is a part.
      auto tick = line.tick_at(time_of_sample(at));
      if (tick > line.first_tick() && sample_from(line.media_time(tick)) > at) --tick;
      const auto place = line.at(tick);
      assure(from.has_value() == !place.ended, at);
      if (from) {
        const auto expected = sample_of_frame(place.position.frame(), rate) + at - sample_from(line.media_time(tick));
        assure(std::abs(*from - expected) <= 2, at);  // both count whole samples
        if (before && place.rounds == rounds) assure(*from == *before + 1, at);
      }
      before = from;
      rounds = place.rounds;
    });
  }
}

TEST_CASE("a line that is paused, ended, empty or at another rate is silent") {
  auto line = Line::over(5, start, {25, 1}, 100, 0);
  const auto first = first_sample_of(line);
  const auto is_silent = [&](const Line& of) { return !sound_at(of, first + 1000).from; };
  CHECK_FALSE(is_silent(line));
  for (const double rate : {0.5, 2.0, -1.0, 1.01}) {
    auto other = line;
    other.set_rate(rate);
    CHECK(is_silent(other));
  }
  auto paused = line;
  paused.set_paused(true);
  CHECK(is_silent(paused));
  CHECK(is_silent(Line::nothing(line)));
  auto once = line;
  once.set_loop(false);
  CHECK(sound_at(once, first + 4 * 48'000 - 1).from == 4 * 48'000 - 1);
  CHECK_FALSE(sound_at(once, first + 4 * 48'000).from);
}

TEST_CASE("after a seek the sound begins with the frame") {
  auto line = Line::over(0, start, {30, 1}, 300, 0).from(12);
  line.seek(150);
  CHECK(sound_at(line, first_sample_of(line)).from == 5 * 48'000);
}

}  // namespace
}  // namespace lw
