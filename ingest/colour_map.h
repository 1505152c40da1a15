// Maps R'G'B' of a source to that of a wall: code values to light, the wall's primaries, tone mapping where the source
// is brighter than the wall, and back to code values.
//
// - Colours outside the wall's primaries are clipped, channel by channel (ITU-R BT.2087, BT.2407).
// - Tone mapping is the curve of ITU-R BT.2390 (EETF), applied to the largest of the three channels; the others are
//   scaled by the same factor, which keeps the hue. The curve, and the matrix between primaries, are libplacebo's.
// - SDR goes to HDR with its white at 203 cd/m2 (BT.2408), and back.
// - HLG is what a display of 1000 cd/m2 makes of it (BT.2100, system gamma 1.2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/pixel/colour.h"
#include "ingest/float_table.h"
#include "ingest/source_colour.h"

namespace lw {

class ColourMap {
public:
  // `peak`: cd/m2 of a PQ source's brightest content.
  ColourMap(const SourceColour& from, const Colour& to, double peak);

  // Of as many pixels each, in place; code values from 0 to 1, and others as these. Any threads may call it.
  void apply(std::span<float> red, std::span<float> green, std::span<float> blue) const;
  // Of pixels of R, G and B with 8 bits, full range.
  void apply(std::span<std::uint8_t> rgb) const;

private:
  using Channels = std::array<float, 3>;

  [[nodiscard]] float decoded(float code) const;
  [[nodiscard]] Channels to_wall(const Channels& light) const;

  std::vector<float> decode_;  // by code value of 16 bits, interpolated
  FloatTable encode_;
  std::array<Channels, 3> matrix_{};
  // Factors by luminance, of HLG; by the largest channel, of tone mapping.
  std::optional<FloatTable> from_scene_;
  std::optional<FloatTable> to_scene_;
  std::optional<FloatTable> tone_;
  Channels source_luminance_{};
  Channels wall_luminance_{};
};

}  // namespace lw
