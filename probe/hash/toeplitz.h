// The Toeplitz hash with which network cards spread packets over their receive queues (Microsoft, "RSS Hashing
// Functions").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lw {

// For each bit of the input that is 1, from the first, xors the 32 bits of the key that begin at that bit. The key must
// be at least 4 bytes longer than the input.
std::uint32_t toeplitz_hash(std::span<const std::uint8_t> key, std::span<const std::byte> input);

// From Microsoft's verification suite; the default of many drivers.
inline constexpr std::array<std::uint8_t, 40> microsoft_rss_key{
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
    0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
    0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

}  // namespace lw
