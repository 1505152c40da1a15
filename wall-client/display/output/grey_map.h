// A map over a panel: what part of the light, or what black, each of its pixels gets. Read from a PNG image.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lw {

struct GreyMap {
  static constexpr unsigned side_max = 16384;
  static constexpr std::size_t pixels_max = std::size_t{1} << 25U;  // 8K

  unsigned width = 0, height = 0;
  std::vector<std::uint16_t> values;  // by row from the top, 65535 is 1
  bool coloured = false;              // in the file, which was reduced to grey

  [[nodiscard]] float at(unsigned x, unsigned y) const {
    return static_cast<float>(values[std::size_t{y} * width + x]) / 65535;
  }
  // For a pixel of a panel of this size, interpolated between the map's pixels.
  [[nodiscard]] float over(int x, int y, int panel_width, int panel_height) const;
};

// `bytes`: of a PNG file, grey with 8 or 16 bits, or RGB that is grey. Alpha is not used. (Fuzzed.)
Result<GreyMap> parse_grey_map(std::string_view bytes);
// The same of any PNG file: colours become their luminance.
Result<GreyMap> parse_coloured_map(std::string_view bytes);

}  // namespace lw
