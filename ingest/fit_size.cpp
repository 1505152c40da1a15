#include "ingest/fit_size.h"

#include <algorithm>
#include <cmath>

namespace lw {

Size fitted_size(Size source, double pixel_aspect, const Rect& picture, Fit fit, bool even) {
  const Size whole{picture.width, picture.height};
  if (source == whole || fit == Fit::stretch) return whole;
  if (fit == Fit::exact) return source;
  const double width = source.width * pixel_aspect;
  const double height = source.height;
  const double x = picture.width / width;
  const double y = picture.height / height;
  const double scale = fit == Fit::fit ? std::min(x, y) : std::max(x, y);
  const unsigned step = even ? 2 : 1;
  const auto rounded = [scale](double length, unsigned multiple) {
    return std::max(multiple, static_cast<unsigned>(std::lround(length * scale / multiple)) * multiple);
  };
  Size size{rounded(width, step), rounded(height, 1)};
  // Rounding must neither create a border nor go beyond the wall.
  if (fit == Fit::fit) size = {std::min(size.width, whole.width), std::min(size.height, whole.height)};
  if (fit == Fit::fill) size = {std::max(size.width, whole.width), std::max(size.height, whole.height)};
  return size;
}

}  // namespace lw
