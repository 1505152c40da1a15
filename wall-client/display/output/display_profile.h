// ICC profiles of displays: what a display must get so that it shows the wall's colours. By lcms2.
#pragma once

#include "common/base/result.h"
#include "common/pixel/colour.h"
#include "wall-client/display/output/colour_table.h"

#include <string_view>

namespace lw {

inline constexpr std::size_t profile_bytes_max = std::size_t{16} << 20U;

// From an SDR wall of these primaries, with the curve of sRGB, as desktops take images without a profile. Relative
// colorimetric, with black point compensation. `bytes`: of an RGB display's profile. `side`: of the cube, for displays
// that are not a matrix between curves. (Fuzzed.)
Result<ColourTable> table_of_profile(std::string_view bytes, Primaries wall, unsigned side = ColourTable::side_max);

}  // namespace lw
