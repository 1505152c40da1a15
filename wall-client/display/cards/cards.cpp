// The cards with text: identify, the label over a frame, and the reason why a tile has no frame.
#include "wall-client/display/cards/card_layout.h"
#include "wall-client/display/cards/card_painter.h"

#include "common/base/frame_rate.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

using namespace card_colors;

Card paint_identify(const TileFacts& facts) {
  Card card(facts.width, facts.height, night);
  const double u = card_unit(card);
  const double w = card.width();
  const double middle = card.height() / 2.0 - 50 * u;  // top of a square part in the middle of a high tile
  card.gradient(dusk, night);
  card.border(std::max(1, static_cast<int>(u)), blue);
  paint_wall_map(card, w - 30 * u, middle + 6 * u, 24 * u, 18 * u, facts);
  centered_text(card, middle + 13 * u, 36 * u, w * 0.6, white, facts.number);
  centered_text(card, middle + 58 * u, 7 * u, w * 0.9, blue, facts.node);
  centered_text(card, middle + 71 * u, 4.2 * u, w * 0.9, grey,
                fmt::format("{} x {} pixels, {} frames/s", facts.width, facts.height, to_text(facts.frame_rate)));
  centered_text(card, middle + 79 * u, 4.2 * u, w * 0.9, grey, facts.position);
  centered_text(card, middle + 87 * u, 4.2 * u, w * 0.9, grey, facts.wall);
  return card;
}

Card paint_identify_label(const TileFacts& facts) {
  Card card(facts.width, facts.height, {0, 0, 0, 0});
  const double u = card_unit(card);
  const double w = card.width();
  const double top = card.height() / 2.0 - 31 * u;
  const double wide = std::min(w * 0.9, 84 * u);
  card.border(std::max(1, static_cast<int>(u)), blue);
  card.panel(static_cast<int>((w - wide) / 2), static_cast<int>(top), static_cast<int>(wide), static_cast<int>(62 * u),
             3 * u, {night.r, night.g, night.b, 216});
  centered_text(card, top + 6 * u, 26 * u, wide * 0.8, white, facts.number);
  centered_text(card, top + 38 * u, 6 * u, wide * 0.92, blue, facts.node);
  centered_text(card, top + 47.5 * u, 4.2 * u, wide * 0.92, grey,
                fmt::format("{} x {} pixels", facts.width, facts.height));
  centered_text(card, top + 54 * u, 4.2 * u, wide * 0.92, grey, facts.position);
  return card;
}

Card paint_waiting(const TileFacts& facts) {
  Card card(facts.width, facts.height, night);
  const double u = card_unit(card);
  const double w = card.width();
  const double middle = card.height() / 2.0 - 50 * u;
  card.gradient(dusk, night);
  card.border(1, line);
  paint_wall_map(card, w / 2 - 24 * u, middle + 14 * u, 48 * u, 22 * u, facts);
  centered_text(card, middle + 46 * u, 7 * u, w * 0.9, white, "waiting for stream");
  centered_text(card, middle + 60 * u, 4.5 * u, w * 0.9, blue,
                fmt::format("tile {} of node {}", facts.number, facts.node));
  centered_text(card, middle + 70 * u, 3.6 * u, w * 0.94, grey,
                fmt::format("no packet has arrived at {}, {}", facts.address, facts.ports));
  centered_text(card, middle + 77 * u, 3.6 * u, w * 0.94, grey,
                fmt::format("is the server at {} playing?", facts.server));
  return card;
}

}  // namespace lw
