// Tables of BC7 (BPTC) from the Khronos Data Format Specification 1.3, section 20.1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace lw::bc7 {

// A further, lowest bit of the endpoints' channels.
enum class LowBits : std::uint8_t { none, of_endpoint, of_subset };

struct Mode {
  unsigned subsets;
  unsigned partition_bits;
  unsigned rotation_bits;
  unsigned selector_bits;
  unsigned color_bits;
  unsigned alpha_bits;
  LowBits low_bits;
  unsigned index_bits;
  unsigned second_index_bits;
};

// By the number of zeros before a block's first one.
inline constexpr std::array<Mode, 8> modes{{
    {3, 4, 0, 0, 4, 0, LowBits::of_endpoint, 3, 0},
    {2, 6, 0, 0, 6, 0, LowBits::of_subset, 3, 0},
    {3, 6, 0, 0, 5, 0, LowBits::none, 2, 0},
    {2, 6, 0, 0, 7, 0, LowBits::of_endpoint, 2, 0},
    {1, 0, 2, 1, 5, 6, LowBits::none, 2, 3},
    {1, 0, 2, 0, 7, 8, LowBits::none, 2, 2},
    {1, 0, 0, 0, 7, 7, LowBits::of_endpoint, 4, 0},
    {2, 6, 0, 0, 5, 5, LowBits::of_endpoint, 2, 0},
}};

// The subset of a pixel in a partition into two: a bit of each pixel, the first one lowest.
inline constexpr std::array<std::uint16_t, 64> two_subsets{{
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
}};
// Into three: two bits of each.
inline constexpr std::array<std::uint32_t, 64> three_subsets{{
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
}};

// The anchors of subsets after the first, whose anchor is pixel 0: by partition.
inline constexpr std::array<std::uint8_t, 64> anchors_of_two{{
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
}};
inline constexpr std::array<std::uint8_t, 64> second_anchors_of_three{{
    3, 3,  15, 15, 8, 3,  15, 15, 8,  8, 6,  6, 6,  5,  3,  3,  3, 3,  8, 15, 3, 3, 6, 10, 5, 8,  8, 6,  8,  5,  15, 15,
    8, 15, 3,  5,  6, 10, 8,  15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5,  5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
}};
inline constexpr std::array<std::uint8_t, 64> third_anchors_of_three{{
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
}};

// Of an index's second endpoint, in 64ths.
inline constexpr std::array<std::uint8_t, 4> weights_2{0, 21, 43, 64};
inline constexpr std::array<std::uint8_t, 8> weights_3{0, 9, 18, 27, 37, 46, 55, 64};
inline constexpr std::array<std::uint8_t, 16> weights_4{0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

constexpr const std::uint8_t* weights(unsigned index_bits) {
  return index_bits == 2 ? weights_2.data() : index_bits == 3 ? weights_3.data() : weights_4.data();
}

constexpr unsigned subset(unsigned subsets, unsigned partition, unsigned pixel) {
  if (subsets == 2) return two_subsets[partition] >> pixel & 1U;
  return subsets == 3 ? three_subsets[partition] >> 2 * pixel & 3U : 0;
}

constexpr bool is_anchor(unsigned subsets, unsigned partition, unsigned pixel) {
  if (pixel == 0) return true;
  if (subsets == 2) return pixel == anchors_of_two[partition];
  return subsets == 3 && (pixel == second_anchors_of_three[partition] || pixel == third_anchors_of_three[partition]);
}

}  // namespace lw::bc7
