#include "wall-client/display/cards/card_layout.h"

#include "wall-client/display/cards/card_painter.h"
#include "wall-client/display/cards/font.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

double card_unit(const Card& card) { return std::min<double>(card.height(), card.width() * 0.625) / 100; }

int fitting_dot(std::string_view text, double height, double width) {
  int dot = std::max(1, static_cast<int>(std::lround(height / glyph_height)));
  while (dot > 1 && Card::text_width(dot, text) > width) --dot;
  return dot;
}

void centered_text(Card& card, double top, double height, double width, Rgba color, std::string_view text) {
  const int dot = fitting_dot(text, height, width);
  card.text((static_cast<int>(card.width()) - Card::text_width(dot, text)) / 2,
            static_cast<int>(top + (height - glyph_height * dot) / 2), dot, color, text);
}

void paint_wall_map(Card& card, double x, double y, double width, double height, const TileFacts& facts) {
  const double scale = std::min(width / facts.picture.width, height / facts.picture.height);
  const double left = x + (width - facts.picture.width * scale) / 2;
  const double top = y + (height - facts.picture.height * scale) / 2;
  const auto draw = [&](TileIndex tile, double at_x, double at_y, double of_width, double of_height, double gap) {
    card.panel(static_cast<int>(left + at_x), static_cast<int>(top + at_y),
               std::max(1, static_cast<int>(of_width - gap)), std::max(1, static_cast<int>(of_height - gap)), gap,
               tile == facts.tile ? card_colors::orange : card_colors::line);
  };
  if (facts.grid.is_free()) {
    for (TileIndex tile; tile.value < facts.grid.tile_count(); ++tile.value) {
      const auto place = facts.grid.place(tile);
      draw(tile, place.x * scale, place.y * scale, place.width * scale, place.height * scale, 1);
    }
    return;
  }
  const double step_x = facts.picture.width * scale / facts.grid.columns;
  const double step_y = facts.picture.height * scale / facts.grid.rows;
  const double gap = std::max(1.0, std::min(step_x, step_y) * 0.06);
  for (TileIndex tile; tile.value < facts.grid.tile_count(); ++tile.value) {
    const auto [column, row] = facts.grid.cell(tile);
    draw(tile, column * step_x, row * step_y, step_x, step_y, gap);
  }
}

}  // namespace lw
