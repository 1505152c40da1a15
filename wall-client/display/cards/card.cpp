#include "wall-client/display/cards/card.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// How much of a pixel a smooth edge covers: 1 well inside, 0 well outside. `inside` is the distance to the edge.
double coverage_of(double inside) { return std::clamp(inside + 0.5, 0.0, 1.0); }

struct Stroke {
  Point from;
  Point to;
};

double distance(Point p, const Stroke& stroke) {
  const double dx = stroke.to.x - stroke.from.x;
  const double dy = stroke.to.y - stroke.from.y;
  const double length = dx * dx + dy * dy;
  const double t =
      length > 0 ? std::clamp(((p.x - stroke.from.x) * dx + (p.y - stroke.from.y) * dy) / length, 0.0, 1.0) : 0;
  const double away_x = p.x - stroke.from.x - t * dx;
  const double away_y = p.y - stroke.from.y - t * dy;
  return std::sqrt(away_x * away_x + away_y * away_y);
}

// Joins neighbouring dots of a glyph into strokes, so that large letters have round ends and true diagonals. Dots are
// joined across a corner only if no dot beside them joins them already.
std::vector<Stroke> strokes_of(const Glyph& dots, int dot) {
  const auto lit = [&](int column, int row) {
    return column >= 0 && column < glyph_columns && row < glyph_rows &&
           (dots[static_cast<std::size_t>(row)] >> (glyph_columns - 1 - column) & 1) != 0;
  };
  const auto center = [&](int column, int row) { return Point{(column + 0.5) * dot, (row + 0.5) * dot}; };
  std::vector<Stroke> strokes;
  for (int row = 0; row < glyph_rows; ++row) {
    for (int column = 0; column < glyph_columns; ++column) {
      if (!lit(column, row)) continue;
      strokes.push_back({center(column, row), center(column, row)});
      if (lit(column + 1, row)) strokes.push_back({center(column, row), center(column + 1, row)});
      if (lit(column, row + 1)) strokes.push_back({center(column, row), center(column, row + 1)});
      for (const int side : {-1, 1})
        if (lit(column + side, row + 1) && !lit(column + side, row) && !lit(column, row + 1))
          strokes.push_back({center(column, row), center(column + side, row + 1)});
    }
  }
  return strokes;
}

// One character per code point; other characters than ASCII become the font's box.
template <class Each>
void for_each_character(std::string_view text, Each each) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) each(byte < 0x80U ? static_cast<char32_t>(byte) : char32_t{0xFFFD});
  }
}

}  // namespace

void Card::blend(int x, int y, Rgba color, double coverage) {
  if (x < 0 || y < 0 || x >= static_cast<int>(width_) || y >= static_cast<int>(height_)) return;
  Rgba& below = pixels_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
  const double over = coverage * color.a / 255.0;
  const double under = (1 - over) * below.a / 255.0;
  const double alpha = over + under;
  if (alpha <= 0) return;
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround((a * over + b * under) / alpha));
  };
  below = {mix(color.r, below.r), mix(color.g, below.g), mix(color.b, below.b),
           static_cast<std::uint8_t>(std::lround(alpha * 255))};
}

void Card::fill(int x, int y, int width, int height, Rgba color) {
  const int left = std::clamp(x, 0, static_cast<int>(width_));
  const int right = std::clamp(x + width, left, static_cast<int>(width_));
  const int top = std::clamp(y, 0, static_cast<int>(height_));
  const int bottom = std::clamp(y + height, top, static_cast<int>(height_));
  for (int row = top; row < bottom; ++row) {
    auto* first = pixels_.data() + static_cast<std::size_t>(row) * width_;
    std::fill(first + left, first + right, color);
  }
}

void Card::gradient(Rgba top, Rgba bottom) {
  for (int row = 0; row < static_cast<int>(height_); ++row) {
    const double t = height_ > 1 ? static_cast<double>(row) / (height_ - 1) : 0;
    const auto mix = [t](std::uint8_t a, std::uint8_t b) {
      return static_cast<std::uint8_t>(std::lround(a + (b - a) * t));
    };
    fill(0, row, static_cast<int>(width_), 1,
         {mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b), mix(top.a, bottom.a)});
  }
}

void Card::border(int thickness, Rgba color) {
  const int w = static_cast<int>(width_);
  const int h = static_cast<int>(height_);
  fill(0, 0, w, thickness, color);
  fill(0, h - thickness, w, thickness, color);
  fill(0, 0, thickness, h, color);
  fill(w - thickness, 0, thickness, h, color);
}

void Card::panel(int x, int y, int width, int height, double corner, Rgba color) {
  const double half_w = width / 2.0;
  const double half_h = height / 2.0;
  const double round = std::min({corner, half_w, half_h});
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      // Distance of the pixel beyond the corner's centre, in each direction.
      const double dx = std::max(0.0, std::abs(column + 0.5 - half_w) - (half_w - round));
      const double dy = std::max(0.0, std::abs(row + 0.5 - half_h) - (half_h - round));
      blend(x + column, y + row, color, dx > 0 && dy > 0 ? coverage_of(round - std::hypot(dx, dy)) : 1);
    }
  }
}

void Card::line(Point from, Point to, double thickness, Rgba color) {
  const Stroke stroke{from, to};
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const bool flat = std::abs(dx) >= std::abs(dy);
  // Steps along the longer direction and paints the pixels near the line in the other.
  const double slope = flat ? (dx != 0 ? dy / dx : 0) : dx / dy;
  const double reach = thickness / 2 * std::hypot(1, slope) + 1;
  const double start = flat ? std::min(from.x, to.x) : std::min(from.y, to.y);
  const double end = flat ? std::max(from.x, to.x) : std::max(from.y, to.y);
  const int along_max = static_cast<int>(flat ? width_ : height_);
  for (int along = std::max(0, static_cast<int>(start - thickness));
       along <= std::min<double>(along_max - 1, end + thickness); ++along) {
    const double middle = flat ? from.y + (along + 0.5 - from.x) * slope : from.x + (along + 0.5 - from.y) * slope;
    for (int across = static_cast<int>(std::floor(middle - reach));
         across <= static_cast<int>(std::ceil(middle + reach)); ++across) {
      const int x = flat ? along : across;
      const int y = flat ? across : along;
      blend(x, y, color, coverage_of(thickness / 2 - distance({x + 0.5, y + 0.5}, stroke)));
    }
  }
}

void Card::ring(Point center, double radius, double thickness, Rgba color) {
  const double outer = radius + thickness / 2 + 1;
  const double inner = std::max(0.0, radius - thickness / 2 - 1);
  const int top = std::max(0, static_cast<int>(std::floor(center.y - outer)));
  const int bottom = std::min(static_cast<int>(height_) - 1, static_cast<int>(std::ceil(center.y + outer)));
  for (int row = top; row <= bottom; ++row) {
    const double dy = row + 0.5 - center.y;
    const double wide = std::sqrt(std::max(0.0, outer * outer - dy * dy));
    const double narrow = std::sqrt(std::max(0.0, inner * inner - dy * dy));
    const auto paint = [&](double from, double to) {
      for (int column = std::max(0, static_cast<int>(std::floor(from))); column < std::min<double>(width_, to);
           ++column)
        blend(column, row, color,
              coverage_of(thickness / 2 - std::abs(std::hypot(column + 0.5 - center.x, dy) - radius)));
    };
    const double middle = std::floor(center.x);  // the two halves do not share a pixel
    paint(center.x - wide, std::min(middle, std::ceil(center.x - narrow)));
    paint(std::max(middle, std::floor(center.x + narrow)), center.x + wide);
  }
}

int Card::text_width(int dot, std::string_view text) {
  int characters = 0;
  for_each_character(text, [&](char32_t) { ++characters; });
  return std::max(0, characters * glyph_advance - 1) * dot;
}

void Card::text(int x, int y, int dot, Rgba color, std::string_view text) {
  constexpr int smooth_from = 3;  // dots below this size are squares, which are sharper than a blurred stroke
  for_each_character(text, [&](char32_t c) {
    if (dot < smooth_from)
      square_glyph(x, y, dot, color, glyph(c));
    else
      smooth_glyph(x, y, dot, color, glyph(c));
    x += glyph_advance * dot;
  });
}

void Card::square_glyph(int x, int y, int dot, Rgba color, const Glyph& dots) {
  for (int row = 0; row < glyph_rows * dot; ++row)
    for (int column = 0; column < glyph_columns * dot; ++column)
      if ((dots[static_cast<std::size_t>(row / dot)] >> (glyph_columns - 1 - column / dot) & 1) != 0)
        blend(x + column, y + row, color, 1);
}

void Card::smooth_glyph(int x, int y, int dot, Rgba color, const Glyph& dots) {
  const int width = glyph_columns * dot;
  const int height = glyph_rows * dot;
  // Each stroke covers only the pixels around it; where strokes meet, the larger cover counts.
  std::vector<double> covered(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto at = [&](int column, int row) -> double& {
    return covered[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)];
  };
  const int reach = dot / 2 + 2;
  for (const auto& stroke : strokes_of(dots, dot)) {
    const int left = std::max(0, static_cast<int>(std::min(stroke.from.x, stroke.to.x)) - reach);
    const int right = std::min(width, static_cast<int>(std::max(stroke.from.x, stroke.to.x)) + reach);
    const int top = std::max(0, static_cast<int>(std::min(stroke.from.y, stroke.to.y)) - reach);
    const int bottom = std::min(height, static_cast<int>(std::max(stroke.from.y, stroke.to.y)) + reach);
    for (int row = top; row < bottom; ++row)
      for (int column = left; column < right; ++column)
        at(column, row) =
            std::max(at(column, row), coverage_of(dot * 0.5 - distance({column + 0.5, row + 0.5}, stroke)));
  }
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column)
      if (at(column, row) > 0) blend(x + column, y + row, color, at(column, row));
}

void Card::place(const Card& card, int x, int y) {
  for (unsigned row = 0; row < card.height(); ++row)
    for (unsigned column = 0; column < card.width(); ++column)
      blend(x + static_cast<int>(column), y + static_cast<int>(row), card.at(column, row), 1);
}

}  // namespace lw
