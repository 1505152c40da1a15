// The 10-bit pixel group of RFC 4175 (Cb Y0 Cr Y1, 10 bits each, the most significant bit first), to and from the
// planes that FFmpeg works with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lw {

// A row of `groups` pairs of pixels.
void pack_groups_10(const std::uint16_t* luma, const std::uint16_t* cb, const std::uint16_t* cr, unsigned groups,
                    std::byte* out);
void unpack_groups_10(const std::byte* in, unsigned groups, std::uint16_t* luma, std::uint16_t* cb, std::uint16_t* cr);

}  // namespace lw
