// An image that the node paints on the CPU: flat fills, smooth lines, rings and text. Painted only when something
// changes, so it may be slow; nothing here touches the data path.
#pragma once

#include "wall-client/display/cards/font.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lw {

struct Rgba {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Rgba&) const = default;
};

struct Point {
  double x = 0, y = 0;
};

// Rows from top to bottom; alpha is straight (not premultiplied). Anything outside the card is clipped.
class Card {
public:
  Card(unsigned width, unsigned height, Rgba background)
      : width_(width), height_(height), pixels_(std::size_t{width} * height, background) {}

  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] unsigned height() const { return height_; }
  [[nodiscard]] const Rgba* pixels() const { return pixels_.data(); }
  [[nodiscard]] Rgba at(unsigned x, unsigned y) const { return pixels_[std::size_t{y} * width_ + x]; }

  // Replace the pixels, alpha included.
  void fill(int x, int y, int width, int height, Rgba color);
  void gradient(Rgba top, Rgba bottom);
  void border(int thickness, Rgba color);

  // Blended over the pixels, with smooth edges.
  void panel(int x, int y, int width, int height, double corner, Rgba color);
  void line(Point from, Point to, double thickness, Rgba color);
  void ring(Point center, double radius, double thickness, Rgba color);
  // `dot`: distance between dots of the font, in pixels. (x, y) is the top left of the first capital. UTF-8.
  void text(int x, int y, int dot, Rgba color, std::string_view text);
  static int text_width(int dot, std::string_view text);
  // Blends another card over this one.
  void place(const Card& card, int x, int y);

private:
  void blend(int x, int y, Rgba color, double coverage);
  void square_glyph(int x, int y, int dot, Rgba color, const Glyph& dots);
  void smooth_glyph(int x, int y, int dot, Rgba color, const Glyph& dots);

  unsigned width_;
  unsigned height_;
  std::vector<Rgba> pixels_;
};

}  // namespace lw
