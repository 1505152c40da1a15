// 3D LUTs as .cube files (Iridas, Adobe, Resolve).
#pragma once

#include "common/base/result.h"
#include "wall-client/display/output/colour_table.h"

#include <string_view>

namespace lw {

// LUT_3D_SIZE up to 129, with DOMAIN_MIN and DOMAIN_MAX or LUT_3D_INPUT_RANGE. (Fuzzed.)
Result<ColourTable> parse_cube(std::string_view text);

}  // namespace lw
