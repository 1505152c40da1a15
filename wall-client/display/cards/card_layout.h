// The layout of text and of the map of the wall, shared by the cards and the patterns.
#pragma once

#include "wall-client/display/cards/card.h"
#include "wall-client/display/cards/tile_facts.h"

#include <string>
#include <string_view>

namespace lw {

// A hundredth of the tile's height (of its width on narrow tiles): the unit of length on cards.
double card_unit(const Card& card);
// The largest dot size at which text is at most `height` high and `width` wide; at least 1.
int fitting_dot(std::string_view text, double height, double width);
// One line, centred; `top` and `height` are those of its capitals.
void centered_text(Card& card, double top, double height, double width, Rgba color, std::string_view text);
// A small map of the wall with this tile highlighted, as large as fits in the box and centred in it.
void paint_wall_map(Card& card, double x, double y, double width, double height, const TileFacts& facts);

}  // namespace lw
