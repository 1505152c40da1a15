// What a node does to a tile's image on its way to the panel or projector. Settings of the node alone: stores, flows,
// dumps and previews have the tile as the audience is meant to see it. wall-client/display/output has the arithmetic.
#pragma once

#include "common/wall/named_file.h"

#include <array>

namespace lw {

// Pixels of the tile at its edges in which it fades out.
struct BlendWidths {
  unsigned left = 0, right = 0, top = 0, bottom = 0;
  bool operator==(const BlendWidths&) const = default;
};

struct TileOutput {
  // Of red, green and blue, in this order: code values become (gain * value) ^ (1 / gamma).
  std::array<double, 3> gain{1, 1, 1};
  std::array<double, 3> gamma{1, 1, 1};
  NamedFile lut;  // .cube; not with a profile
  NamedFile icc;
  NamedFile warp;  // PFM
  // Light falls off within the widths, or by the map; not both.
  BlendWidths blend;
  NamedFile blend_map;       // PNG
  double blend_gamma = 2.2;  // from code values to light
  // Code value of the light that a projector leaks where it shows black, or a map of what is added; not both.
  double black_lift = 0;
  NamedFile black_lift_map;  // PNG

  // Whether anything differs from a tile without these keys.
  [[nodiscard]] bool active() const {
    constexpr std::array<double, 3> none{1, 1, 1};
    return gain != none || gamma != none || lut.named() || icc.named() || warp.named() || blend != BlendWidths{} ||
           blend_map.named() || black_lift > 0 || black_lift_map.named();
  }
};

}  // namespace lw
