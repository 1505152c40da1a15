// Reads pixels of format rgb10 (pixel_format.h): R G B of four pixels in 15 bytes, 10 bits each, the most significant
// bit first (RFC 4175 section 4.3). Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

// Of a row. Its 30 bits begin within a byte of its group, and end in the fourth or fifth.
inline std::array<std::uint16_t, 3> rgb10_at(const std::byte* row, unsigned pixel) {
  const unsigned bit = pixel % 4 * 30;
  const std::byte* const bytes = row + std::size_t{pixel / 4} * 15 + bit / 8;
  std::uint64_t bits = 0;
  for (int i = 0; i < 4; ++i) bits = bits << 8U | std::to_integer<unsigned>(bytes[i]);
  bits = bits << 8U | (bit % 8 > 2 ? std::to_integer<unsigned>(bytes[4]) : 0);
  const auto channel = [&](unsigned below) {
    return static_cast<std::uint16_t>(bits >> (40 - bit % 8 - below) & 1023U);
  };
  return {channel(10), channel(20), channel(30)};
}

}  // namespace lw
