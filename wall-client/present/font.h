// A 5x7 dot font for what a node writes on its tiles: the characters that names, numbers and addresses need.
#pragma once

#include <array>
#include <cstdint>

namespace lw {

// Seven rows from top to bottom, the leftmost of five dots in bit 4. Unknown characters are blank.
const std::array<std::uint8_t, 7>& glyph(char c);

}  // namespace lw
