// The patterns as far as they must be exact: edges, alignment over bezels, time, levels. Their appearance is for people
// to judge.
#include "tests/unit/wall-client/display/frames.h"

#include "wall-client/display/cards/card_painter.h"
#include "wall-client/display/cards/font.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <tuple>

using namespace lw;
using namespace lw::test;

namespace {

TileFacts facts(unsigned column, unsigned width = 320, unsigned height = 200) {
  const auto wall = small_wall(width, height);
  return facts_of(wall, wall.nodes[0], wall.nodes[0].tiles[column]);
}

std::size_t colours(const Card& card) {
  std::set<std::tuple<int, int, int>> seen;
  for (unsigned y = 0; y < card.height(); ++y)
    for (unsigned x = 0; x < card.width(); ++x) seen.insert({card.at(x, y).r, card.at(x, y).g, card.at(x, y).b});
  return seen.size();
}

}  // namespace

TEST_CASE("the grid's outermost pixels are lit on every side") {
  const auto card = paint_pattern(Pattern::grid, facts(0), {});
  for (unsigned x = 0; x < card.width(); ++x) {
    CHECK(card.at(x, 0) == card_colors::orange);
    CHECK(card.at(x, card.height() - 1) == card_colors::orange);
  }
  for (unsigned y = 0; y < card.height(); ++y) {
    CHECK(card.at(0, y) == card_colors::orange);
    CHECK(card.at(card.width() - 1, y) == card_colors::orange);
  }
}

TEST_CASE("the grid continues behind the bezel") {
  // Lines are 20 pixels apart, counted from the wall's centre (x = 324 of 648): tile 1 begins at 328, so its first
  // line is at 344 - 328.
  const auto left = paint_pattern(Pattern::grid, facts(0), {});
  const auto right = paint_pattern(Pattern::grid, facts(1), {});
  const unsigned row = 5;
  CHECK(left.at(304, row) == card_colors::line);
  CHECK(left.at(314, row) != card_colors::line);
  CHECK(right.at(16, row) == card_colors::line);
  CHECK(right.at(6, row) != card_colors::line);
}

TEST_CASE("the bar shows the second, is the same on all tiles, and counts frames") {
  const auto at = [](std::int64_t milliseconds) { return WallTime(std::chrono::milliseconds(milliseconds)); };
  CHECK(bar_motion(facts(0), at(1'700'000'000'000)).bar == Rect{0, 0, 2, 200});
  CHECK(bar_motion(facts(0), at(1'700'000'000'500)).bar.x == 160);
  CHECK(bar_motion(facts(1), at(1'700'000'000'500)).bar.x == 160);
  const auto last = bar_motion(facts(0), at(1'700'000'000'999)).bar;
  CHECK(last.x + last.width <= 320);
  const auto first = bar_motion(facts(0), at(1'700'000'000'000));
  const auto later = bar_motion(facts(0), at(1'700'000'000'040));
  CHECK((first.counter.width() == later.counter.width() && first.counter.height() == later.counter.height()));
  CHECK_FALSE(std::equal(first.counter.pixels(),
                         first.counter.pixels() + first.counter.width() * first.counter.height(),
                         later.counter.pixels()));
}

TEST_CASE("the ramp has every level of grey and the full colours") {
  const auto card = paint_pattern(Pattern::ramp, facts(0), {});
  std::set<int> greys;
  for (unsigned x = 0; x < card.width(); ++x) greys.insert(card.at(x, card.height() * 5 / 12).r);
  CHECK(greys.size() == 256);
  CHECK(card.at(0, 0) == Rgba{255, 255, 255});
  CHECK(card.at(card.width() * 11 / 16, 10) == Rgba{255, 0, 0});
  CHECK(card.at(card.width() - 1, 0) == Rgba{0, 0, 0});
}

TEST_CASE("black is black") { CHECK(colours(paint_pattern(Pattern::black, facts(0), {})) == 1); }

TEST_CASE("cards identify their tiles, at any size") {
  const auto size = GENERATE(table<unsigned, unsigned>({{16, 16}, {64, 400}, {640, 20}, {320, 200}, {1080, 1920}}));
  const auto width = std::get<0>(size), height = std::get<1>(size);
  for (const auto pattern : {Pattern::identify, Pattern::grid, Pattern::bar, Pattern::ramp})
    CHECK(colours(paint_pattern(pattern, facts(1, width, height), {})) > 1);
  const auto differ = [&](const Card& a, const Card& b) {
    return !std::equal(a.pixels(), a.pixels() + width * height, b.pixels());
  };
  CHECK(differ(paint_waiting(facts(0, width, height)), paint_waiting(facts(1, width, height))));
  CHECK(differ(paint_identify(facts(0, width, height)), paint_identify(facts(1, width, height))));
  CHECK(differ(paint_identify_label(facts(0, width, height)), paint_identify_label(facts(1, width, height))));
}

TEST_CASE("every printable character has its own glyph") {
  std::set<Glyph> seen;
  for (char32_t c = U' '; c <= U'~'; ++c) CHECK(seen.insert(glyph(c)).second);
  CHECK(glyph(U'\u00E9') == glyph(U'\n'));
}

TEST_CASE("text is as wide as its characters, not its bytes") {
  CHECK(Card::text_width(2, "ab") == 22);
  CHECK(Card::text_width(1,
                         "S\xC3\xBC"
                         "d") == Card::text_width(1, "Sud"));
  CHECK(Card::text_width(3, "") == 0);
}
