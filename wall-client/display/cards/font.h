// A dot font for text on tiles: five dots wide, seven high and two below the baseline. Printable ASCII.
#pragma once

#include <array>
#include <cstdint>

namespace lw {

inline constexpr int glyph_columns = 5;
inline constexpr int glyph_rows = 9;     // two of them below the baseline
inline constexpr int glyph_height = 7;   // of capitals and digits
inline constexpr int glyph_advance = 6;  // from one character to the next

// Rows from top to bottom, the leftmost of five dots in bit 4.
using Glyph = std::array<std::uint8_t, glyph_rows>;

// Characters that the font lacks are drawn as a hollow box, so that people see that something is there.
const Glyph& glyph(char32_t c);

}  // namespace lw
