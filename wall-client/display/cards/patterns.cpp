// The test patterns: grid, moving bar, colour ramps, black.
#include "wall-client/display/cards/card_layout.h"
#include "wall-client/display/cards/card_painter.h"
#include "wall-client/display/cards/font.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lw {

using namespace card_colors;

namespace {

constexpr std::int64_t second = 1'000'000'000;

// Lines, diagonals and the large circle continue behind the bezels: if they meet, windows and gaps are placed as in
// the wall file. The small circle and the outermost pixels belong to the tile: they show wrong scaling and cut-off
// edges.
Card paint_grid(const TileFacts& facts) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  const double u = card_unit(card);
  const double thin = std::max(1.0, u * 0.25);
  const double left = facts.part.x;
  const double top = facts.part.y;
  const double wall_w = facts.picture.width;
  const double wall_h = facts.picture.height;

  const int wire = std::max(1, static_cast<int>(std::lround(u * 0.12)));
  const int step = std::max(8, std::min(w, h) / 10);
  const int origin_x = static_cast<int>(wall_w / 2 - left);
  const int origin_y = static_cast<int>(wall_h / 2 - top);
  for (int x = origin_x % step; x < w; x += step) card.fill(x, 0, wire, h, line);
  for (int y = origin_y % step; y < h; y += step) card.fill(0, y, w, wire, line);
  card.fill(origin_x, 0, wire, h, blue);
  card.fill(0, origin_y, w, wire, blue);

  card.line({-left, -top}, {wall_w - left, wall_h - top}, thin, blue);
  card.line({wall_w - left, -top}, {-left, wall_h - top}, thin, blue);
  card.ring({wall_w / 2 - left, wall_h / 2 - top}, std::min(wall_w, wall_h) * 0.46, thin * 2, blue);
  card.ring({w / 2.0, h / 2.0}, std::min(w, h) * 0.4, thin * 2, white);

  card.border(1, orange);
  const int arm = static_cast<int>(8 * u);
  const int thick = std::max(2, static_cast<int>(u));
  for (const int x : {0, w - arm})
    for (const int y : {0, h - thick}) card.fill(x, y, arm, thick, orange);
  for (const int x : {0, w - thick})
    for (const int y : {0, h - arm}) card.fill(x, y, thick, arm, orange);

  const auto text = fmt::format("{}  {} x {}", facts.number, w, h);
  const int dot = fitting_dot(text, 4.5 * u, w * 0.6);
  const int text_w = Card::text_width(dot, text);
  card.panel((w - text_w) / 2 - 3 * dot, h / 2 - 7 * dot, text_w + 6 * dot, 14 * dot, 3 * dot, night);
  card.text((w - text_w) / 2, h / 2 - glyph_height * dot / 2, dot, white, text);
  return card;
}

// Full colours, ramps of grey and the primaries, a staircase, and the ends of the range: shows banding, clipping,
// swapped channels and a wrong range.
Card paint_ramp(const TileFacts& facts) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  const auto top_of = [h](int part) { return h * part / 12; };
  constexpr std::array<Rgba, 8> bars{
      {{255, 255, 255}, {255, 255, 0}, {0, 255, 255}, {0, 255, 0}, {255, 0, 255}, {255, 0, 0}, {0, 0, 255}, {0, 0, 0}}};
  for (int i = 0; i < 8; ++i)
    card.fill(w * i / 8, 0, w * (i + 1) / 8 - w * i / 8, top_of(4), bars[static_cast<std::size_t>(i)]);
  for (int x = 0; x < w; ++x) {
    const auto value = static_cast<std::uint8_t>(w > 1 ? std::lround(x * 255.0 / (w - 1)) : 255);
    card.fill(x, top_of(4), 1, top_of(6) - top_of(4), {value, value, value});
    card.fill(x, top_of(6), 1, top_of(7) - top_of(6), {value, 0, 0});
    card.fill(x, top_of(7), 1, top_of(8) - top_of(7), {0, value, 0});
    card.fill(x, top_of(8), 1, top_of(9) - top_of(8), {0, 0, value});
  }
  constexpr int steps = 11;
  for (int i = 0; i < steps; ++i) {
    const auto value = static_cast<std::uint8_t>(i * 255 / (steps - 1));
    card.fill(w * i / steps, top_of(9), w * (i + 1) / steps - w * i / steps, top_of(10) - top_of(9),
              {value, value, value});
  }
  // Left half: black with patches 2, 4, ... above it; right half: white with patches below it.
  constexpr int patches = 8;
  for (int i = 0; i < patches; ++i) {
    const auto dark = static_cast<std::uint8_t>(2 * i);
    const auto bright = static_cast<std::uint8_t>(255 - 2 * (patches - 1 - i));
    const int x = w / 2 * i / patches;
    const int wide = w / 2 * (i + 1) / patches - x;
    card.fill(x, top_of(10), wide, h - top_of(10), {dark, dark, dark});
    card.fill(w / 2 + x, top_of(10), wide + w % 2, h - top_of(10), {bright, bright, bright});
  }
  return card;
}

// How much of the current second of the wall's clock has passed, in nanoseconds.
std::int64_t nanoseconds_of_second(WallTime now) { return now.time_since_epoch().count() % second; }

std::int64_t frames_since_epoch(WallTime now, FrameRate rate) {
  const std::int64_t seconds = now.time_since_epoch().count() / second;
  return (seconds * rate.numerator + nanoseconds_of_second(now) * rate.numerator / second) / rate.denominator;
}

}  // namespace

Card paint_bar_background(const TileFacts& facts) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  const double u = card_unit(card);
  card.gradient(dusk, night);
  const int base = h - std::max(1, static_cast<int>(10 * u));
  for (int tick = 0; tick < 100; ++tick) {
    const int length = static_cast<int>((tick % 10 == 0 ? 5 : tick % 5 == 0 ? 3.2 : 1.8) * u);
    card.fill(tick * w / 100, base - length, std::max(1, static_cast<int>(u * 0.25)), length,
              tick % 10 == 0 ? white : grey);
    if (tick % 10 != 0) continue;
    const auto label = fmt::format("{}", tick * 10);
    const int dot = fitting_dot(label, 3 * u, w * 0.08);
    card.text(tick * w / 100 + static_cast<int>(u * 0.5), base + static_cast<int>(2 * u), dot, grey, label);
  }
  const auto title = fmt::format("{}  {}", facts.number, facts.node);
  centered_text(card, 8 * u, 6 * u, w * 0.9, blue, title);
  return card;
}

BarMotion bar_motion(const TileFacts& facts, WallTime now) {
  const auto part = nanoseconds_of_second(now);
  const std::int64_t of_day = now.time_since_epoch().count() / second % 86400;
  const auto number = fmt::format("{:06}", frames_since_epoch(now, facts.frame_rate) % 1'000'000);
  const auto time =
      fmt::format("{:02}:{:02}:{:02}.{:03} UTC", of_day / 3600, of_day / 60 % 60, of_day % 60, part / 1'000'000);
  const double u = std::min<double>(facts.height, facts.width * 0.625) / 100;
  const auto height = static_cast<unsigned>(44 * u);
  const auto width = std::min(facts.width, static_cast<unsigned>(110 * u));

  BarMotion motion{{},
                   Card(width, height, {night.r, night.g, night.b, 230}),
                   (facts.width - width) / 2,
                   (facts.height - height) / 2};
  centered_text(motion.counter, 6 * u, 20 * u, width * 0.9, orange, number);
  centered_text(motion.counter, 33 * u, 5 * u, width * 0.9, white, time);
  // The left edge shows the time.
  const auto x = static_cast<unsigned>(part * static_cast<std::int64_t>(facts.width) / second);
  motion.bar = {x, 0, std::min(std::max(2U, static_cast<unsigned>(u)), facts.width - x), facts.height};
  return motion;
}

Card paint_pattern(Pattern pattern, const TileFacts& facts, WallTime now) {
  switch (pattern) {
    case Pattern::identify:
      return paint_identify(facts);
    case Pattern::grid:
      return paint_grid(facts);
    case Pattern::ramp:
      return paint_ramp(facts);
    case Pattern::bar: {
      Card card = paint_bar_background(facts);
      const auto motion = bar_motion(facts, now);
      card.fill(static_cast<int>(motion.bar.x), 0, static_cast<int>(motion.bar.width),
                static_cast<int>(motion.bar.height), white);
      card.place(motion.counter, static_cast<int>(motion.counter_x), static_cast<int>(motion.counter_y));
      return card;
    }
    case Pattern::black:
    case Pattern::none:
      break;
  }
  return Card(facts.width, facts.height, {0, 0, 0});
}

}  // namespace lw
