// What a node paints itself, without a stream: test patterns, the identify label, and the card that says why there is no
// picture. Painted by the CPU into RGBA pictures, only when something changes (the moving bar: every frame).
#pragma once

#include "common/wall/wall_file.h"
#include "wall-client/present/overlay.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct Rgba {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
};

// An RGBA picture, rows from top to bottom.
class Card {
public:
  Card(unsigned width, unsigned height, Rgba background) : width_(width), height_(height), pixels_(std::size_t{width} * height, background) {}

  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] unsigned height() const { return height_; }
  [[nodiscard]] const Rgba* pixels() const { return pixels_.data(); }
  [[nodiscard]] Rgba at(unsigned x, unsigned y) const { return pixels_[std::size_t{y} * width_ + x]; }

  // Coordinates may lie outside: what does is cut off.
  void fill(int x, int y, int width, int height, Rgba color);
  void line_circle(int center_x, int center_y, int radius, int thickness, Rgba color);
  // Text in the built-in 5x7 font, `scale` pixels to a dot. Lower case is shown as upper case.
  void text(int x, int y, int scale, Rgba color, std::string_view text);
  static int text_width(int scale, std::string_view text) { return static_cast<int>(text.size()) * 6 * scale - scale; }

private:
  unsigned width_;
  unsigned height_;
  std::vector<Rgba> pixels_;
};

// What the cards say about the tile they are painted for.
struct CardFacts {
  std::string wall;
  std::string node;
  TileId tile;
  unsigned columns = 1, rows = 1;
  unsigned width = 0, height = 0;
  std::string position;   // "window at 0, 416" or "monitor 0"
  std::string ports;      // "UDP 50000" or "UDP 50000-50004"
};

// A pattern that replaces the picture; `animation` counts frames.
Card paint_pattern(Pattern pattern, const CardFacts& facts, std::uint64_t animation);
// The label over a picture: transparent but for the label.
Card paint_identify_label(const CardFacts& facts);
// Before any stream has come.
Card paint_waiting(const CardFacts& facts);

}  // namespace lw
