// The pixel groups of RFC 4175 with 10 bits each, the most significant bit first, to and from the planes that FFmpeg
// works with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lw {

// A row of `groups` pairs of pixels: Cb Y0 Cr Y1.
void pack_groups_10(const std::uint16_t* luma, const std::uint16_t* cb, const std::uint16_t* cr, unsigned groups,
                    std::byte* out);
void unpack_groups_10(const std::byte* in, unsigned groups, std::uint16_t* luma, std::uint16_t* cb, std::uint16_t* cr);

// A row of `groups` fours of pixels: R G B of each.
void pack_rgb_10(const std::uint16_t* red, const std::uint16_t* green, const std::uint16_t* blue, unsigned groups,
                 std::byte* out);
void unpack_rgb_10(const std::byte* in, unsigned groups, std::uint16_t* red, std::uint16_t* green, std::uint16_t* blue);

}  // namespace lw
