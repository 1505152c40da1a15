// Computes the size of a source on the wall. Pure arithmetic.
#pragma once

#include "common/wall/geometry.h"

#include <cstdint>

namespace lw {

enum class Fit : std::uint8_t {
  fit,      // as large as possible, with black borders
  fill,     // covers the wall, the rest is cut off
  stretch,  // to the wall's size, ignoring the aspect ratio
  exact,    // pixel for pixel, centred: cut where larger, black where smaller
};

struct Size {
  unsigned width = 0;
  unsigned height = 0;
  bool operator==(const Size&) const = default;
};

// `pixel_aspect` is the width of a source's pixel over its height; `even` keeps the width a multiple of two, as 4:2:2
// requires. A source of exactly the wall's size does not change.
Size fitted_size(Size source, double pixel_aspect, const Rect& picture, Fit fit, bool even);

}  // namespace lw
