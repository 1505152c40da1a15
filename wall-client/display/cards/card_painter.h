// Images that a node paints without a stream: test patterns, the identify label, and the card that says why a tile has
// no frame.
#pragma once

#include "common/base/units.h"
#include "common/messages/tile_overlay.h"
#include "wall-client/display/cards/card.h"
#include "wall-client/display/cards/tile_facts.h"

namespace lw {

// Colours of all cards; the accents are from Okabe and Ito's colour-blind-safe palette.
namespace card_colors {
inline constexpr Rgba night{10, 14, 20};
inline constexpr Rgba dusk{24, 32, 44};
inline constexpr Rgba line{52, 62, 76};
inline constexpr Rgba grey{150, 160, 172};
inline constexpr Rgba white{238, 242, 247};
inline constexpr Rgba blue{86, 180, 233};
inline constexpr Rgba orange{230, 159, 0};
}  // namespace card_colors

// A pattern: the tile's number in large type, and everything known about the tile.
Card paint_identify(const TileFacts& facts);
// A pattern that replaces the frame. Only the bar pattern depends on the time.
Card paint_pattern(Pattern pattern, const TileFacts& facts, WallTime now);
// The label over a frame, with a transparent background.
Card paint_identify_label(const TileFacts& facts);
// The card shown before any stream has arrived.
Card paint_waiting(const TileFacts& facts);

// The bar pattern in two parts, static and moving, so that a display need not paint a complete tile for every frame.
// Both follow the wall's clock: on synchronized tiles the bar is at the same place. The ruler below it is in
// milliseconds.
Card paint_bar_background(const TileFacts& facts);
struct BarMotion {
  Rect bar;      // in card_colors::white
  Card counter;  // frame number and time; always of the same size
  unsigned counter_x = 0;
  unsigned counter_y = 0;
};
BarMotion bar_motion(const TileFacts& facts, WallTime now);

}  // namespace lw
