// A dot font for what a node writes on its tiles: five dots wide, seven high and two below the line. Printable ASCII.
#pragma once

#include <array>
#include <cstdint>

namespace lw {

inline constexpr int glyph_columns = 5;
inline constexpr int glyph_rows = 9;     // two of them below the line
inline constexpr int glyph_height = 7;   // of capitals and digits
inline constexpr int glyph_advance = 6;  // from one character to the next

// Rows from top to bottom, the leftmost of five dots in bit 4.
using Glyph = std::array<std::uint8_t, glyph_rows>;

// Characters the font lacks are a hollow box, so that a strange name is seen to be longer than what can be read of it.
const Glyph& glyph(char32_t c);

}  // namespace lw
