#include "wall-client/present/card_painter.h"

#include "wall-client/present/font.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lw {
namespace {

constexpr Rgba night{13, 17, 23, 255};
constexpr Rgba white{236, 240, 245, 255};
constexpr Rgba grey{139, 148, 158, 255};
constexpr Rgba line{48, 56, 66, 255};
constexpr Rgba blue{86, 180, 233, 255};     // Okabe and Ito's colour-blind-safe palette
constexpr Rgba orange{230, 159, 0, 255};
constexpr Rgba shade{13, 17, 23, 200};

int fitting_scale(std::string_view text, int width, int largest) {
  int scale = largest;
  while (scale > 1 && Card::text_width(scale, text) > width) --scale;
  return scale;
}

void centered(Card& card, int y, int scale, Rgba color, std::string_view text) {
  card.text((static_cast<int>(card.width()) - Card::text_width(scale, text)) / 2, y, scale, color, text);
}

void frame(Card& card, int thickness, Rgba color) {
  const int w = static_cast<int>(card.width());
  const int h = static_cast<int>(card.height());
  card.fill(0, 0, w, thickness, color);
  card.fill(0, h - thickness, w, thickness, color);
  card.fill(0, 0, thickness, h, color);
  card.fill(w - thickness, 0, thickness, h, color);
}

// The tile's number large, and the facts below it.
void paint_facts(Card& card, const CardFacts& facts, int top, int height) {
  const int w = static_cast<int>(card.width());
  const auto number = fmt::format("{},{}", facts.tile.column, facts.tile.row);
  const int big = std::max(1, std::min(height / 14, fitting_scale(number, w / 2, 60)));
  centered(card, top, big, white, number);
  const std::array lines{fmt::format("node {}", facts.node), fmt::format("{} x {} pixels", facts.width, facts.height), facts.position, facts.wall};
  const int small = std::max(1, std::min(big / 4, fitting_scale(lines[1], w * 8 / 10, 8)));
  int y = top + 7 * big + 4 * small;
  for (const auto& text : lines) {
    centered(card, y, fitting_scale(text, w * 9 / 10, small), &text == &lines[0] ? blue : grey, text);
    y += 11 * small;
  }
}

Card paint_identify(const CardFacts& facts) {
  Card card(facts.width, facts.height, night);
  frame(card, std::max(1, static_cast<int>(facts.height) / 100), blue);
  paint_facts(card, facts, static_cast<int>(facts.height) / 6, static_cast<int>(facts.height));
  return card;
}

Card paint_grid(const CardFacts& facts) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  const int step = std::max(8, h / 10);
  for (int x = w / 2 % step; x < w; x += step) card.fill(x, 0, 1, h, line);
  for (int y = h / 2 % step; y < h; y += step) card.fill(0, y, w, 1, line);
  card.fill(w / 2, 0, 1, h, blue);
  card.fill(0, h / 2, w, 1, blue);
  card.line_circle(w / 2, h / 2, h * 2 / 5, std::max(1, h / 200), white);
  frame(card, 1, orange);  // the outermost pixels: all four sides must be seen
  centered(card, h / 2 - 12 * std::max(1, h / 160), std::max(1, h / 160), grey, fmt::format("{},{}  {}x{}", facts.tile.column, facts.tile.row, w, h));
  return card;
}

// A bar that crosses the tile in a second of 60 frames, with the frame's number: tearing and skew show on a camera.
Card paint_bar(const CardFacts& facts, std::uint64_t animation) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  const int bar = std::max(2, w / 40);
  card.fill(static_cast<int>(animation % 60) * w / 60, 0, bar, h, white);
  const auto number = fmt::format("{:05}", animation % 100'000);
  const int scale = std::max(1, std::min(h / 20, w / 40));
  card.fill((w - Card::text_width(scale, number)) / 2 - 2 * scale, h / 2 - 5 * scale, Card::text_width(scale, number) + 4 * scale, 10 * scale, night);
  centered(card, h / 2 - 7 * scale / 2, scale, orange, number);
  return card;
}

// Eight full colours, the grey ramp and the three primaries' ramps: banding, clipping and swapped channels show.
Card paint_ramp(const CardFacts& facts) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  constexpr std::array<Rgba, 8> bars{{{255, 255, 255}, {255, 255, 0}, {0, 255, 255}, {0, 255, 0}, {255, 0, 255}, {255, 0, 0}, {0, 0, 255}, {0, 0, 0}}};
  for (int i = 0; i < 8; ++i) card.fill(w * i / 8, 0, w * (i + 1) / 8 - w * i / 8, h / 3, bars[static_cast<std::size_t>(i)]);
  for (int x = 0; x < w; ++x) {
    const auto value = static_cast<std::uint8_t>(w > 1 ? x * 255 / (w - 1) : 255);
    card.fill(x, h / 3, 1, h / 6, {value, value, value});
    card.fill(x, h / 2, 1, h / 6, {value, 0, 0});
    card.fill(x, h * 2 / 3, 1, h / 6, {0, value, 0});
    card.fill(x, h * 5 / 6, 1, h - h * 5 / 6, {0, 0, value});
  }
  return card;
}

}  // namespace

void Card::fill(int x, int y, int width, int height, Rgba color) {
  const int left = std::clamp(x, 0, static_cast<int>(width_));
  const int right = std::clamp(x + width, 0, static_cast<int>(width_));
  const int top = std::clamp(y, 0, static_cast<int>(height_));
  const int bottom = std::clamp(y + height, 0, static_cast<int>(height_));
  for (int row = top; row < bottom; ++row) {
    auto* first = pixels_.data() + static_cast<std::size_t>(row) * width_;
    std::fill(first + left, first + std::max(left, right), color);
  }
}

void Card::line_circle(int center_x, int center_y, int radius, int thickness, Rgba color) {
  const int steps = std::max(64, radius * 8);
  for (int i = 0; i < steps; ++i) {
    const double angle = 2 * 3.14159265358979 * i / steps;
    fill(center_x + static_cast<int>(std::lround(radius * std::cos(angle))), center_y + static_cast<int>(std::lround(radius * std::sin(angle))), thickness, thickness, color);
  }
}

void Card::text(int x, int y, int scale, Rgba color, std::string_view text) {
  for (const char c : text) {
    const auto& rows = glyph(c);
    for (int row = 0; row < 7; ++row)
      for (int dot = 0; dot < 5; ++dot)
        if ((rows[static_cast<std::size_t>(row)] >> (4 - dot) & 1) != 0) fill(x + dot * scale, y + row * scale, scale, scale, color);
    x += 6 * scale;
  }
}

Card paint_pattern(Pattern pattern, const CardFacts& facts, std::uint64_t animation) {
  switch (pattern) {
    case Pattern::identify: return paint_identify(facts);
    case Pattern::grid: return paint_grid(facts);
    case Pattern::bar: return paint_bar(facts, animation);
    case Pattern::ramp: return paint_ramp(facts);
    case Pattern::black:
    case Pattern::none: break;
  }
  return Card(facts.width, facts.height, {0, 0, 0, 255});
}

Card paint_identify_label(const CardFacts& facts) {
  Card card(facts.width, facts.height, {0, 0, 0, 0});
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  card.fill(w / 8, h / 8, w * 3 / 4, h * 3 / 4, shade);
  frame(card, std::max(1, h / 100), blue);
  paint_facts(card, facts, h / 5, h * 3 / 4);
  return card;
}

Card paint_waiting(const CardFacts& facts) {
  Card card(facts.width, facts.height, night);
  const int w = static_cast<int>(facts.width);
  const int h = static_cast<int>(facts.height);
  frame(card, std::max(1, h / 200), line);
  const int scale = std::max(1, std::min(h / 80, fitting_scale("waiting for stream", w * 7 / 10, 10)));
  centered(card, h / 2 - 14 * scale, scale, white, "waiting for stream");
  const auto where = fmt::format("tile {},{} of node {}", facts.tile.column, facts.tile.row, facts.node);
  const auto small = [&](std::string_view text) { return fitting_scale(text, w * 9 / 10, std::max(1, scale * 2 / 3)); };
  centered(card, h / 2, small(where), blue, where);
  const auto port = fmt::format("no packet has come to {}", facts.ports);
  centered(card, h / 2 + 10 * scale, small(port), grey, port);
  return card;
}

}  // namespace lw
