// How text and the map of the wall are laid out on cards; shared by the cards and the patterns.
#pragma once

#include "wall-client/display/cards/card.h"
#include "wall-client/display/cards/tile_facts.h"

#include <string>
#include <string_view>

namespace lw {

// A hundredth of the tile's height (of its width on narrow tiles): what cards measure in.
double card_unit(const Card& card);
// The largest dot with which text is not higher than `height` and not wider than `width`; at least 1.
int fitting_dot(std::string_view text, double height, double width);
// One line, centred; `top` and `height` of its capitals.
void centered_text(Card& card, double top, double height, double width, Rgba color, std::string_view text);
// The wall in small, with this tile lit, as large as fits in the box, centred in it.
void paint_wall_map(Card& card, double x, double y, double width, double height, const TileFacts& facts);

}  // namespace lw
