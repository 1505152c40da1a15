// How large a source becomes on the wall's picture. Pure arithmetic.
#pragma once

#include "common/wall/geometry.h"

#include <cstdint>

namespace lw {

enum class Fit : std::uint8_t {
  fit,      // as large as it goes, borders black
  fill,     // covers the picture, what is beyond is cut off
  stretch,  // to the picture's size, whatever the shape
  exact,    // pixel for pixel, centred: cut where larger, black where smaller
};

struct Size {
  unsigned width = 0;
  unsigned height = 0;
  bool operator==(const Size&) const = default;
};

// `pixel_aspect` is the width of a source's pixel over its height; `even` keeps the width a multiple of two, as 4:2:2
// needs. A source of exactly the picture's size stays as it is.
Size fitted_size(Size source, double pixel_aspect, const Rect& picture, Fit fit, bool even);

}  // namespace lw
