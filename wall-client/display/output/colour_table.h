// A function from colour to colour: a curve for each channel, then a cube of colours with tetrahedral interpolation,
// which is exact for a matrix, and a curve for each channel again. Pure arithmetic; shaders/output.frag has the same.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace lw {

using Rgb = std::array<float, 3>;

// Below this the neighbour's part of a colour or place is nothing, so that rounding does not blur what lies exactly.
inline constexpr float least_part = 1.0F / 256;
// The part of the next of two neighbours, for a place between them.
constexpr float part_of_next(float fraction) {
  return fraction < least_part ? 0 : fraction > 1 - least_part ? 1 : fraction;
}

struct ColourTable {
  static constexpr unsigned side_max = 129;

  Rgb low{0, 0, 0}, high{1, 1, 1};  // the inputs of the first and last entries
  std::vector<Rgb> curves;          // of red, green and blue from low to high, into 0 to 1; empty: straight lines
  unsigned side = 0;                // of the cube
  std::vector<Rgb> cube;            // side^3 colours, red fastest
  // From the square roots of 0 to 1, so that they may be steep near 0; empty: none.
  std::vector<Rgb> last_curves;

  [[nodiscard]] const Rgb& at(unsigned red, unsigned green, unsigned blue) const {
    return cube[(std::size_t{blue} * side + green) * side + red];
  }
  [[nodiscard]] Rgb operator()(const Rgb& colour) const;
  // Every entry is what goes in, but for a quarter of an 8-bit code value.
  [[nodiscard]] bool is_identity() const;
};

}  // namespace lw
