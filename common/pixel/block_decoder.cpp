#include "common/pixel/block_decoder.h"

#include "common/pixel/bc7_tables.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

constexpr unsigned pixels_of_block = block_side * block_side;

using Rgb = std::array<unsigned, 3>;

void put(BlockPixels& out, unsigned pixel, const Rgb& color) {
  for (std::size_t channel = 0; channel < 3; ++channel)
    out[std::size_t{pixel} * 3 + channel] = static_cast<std::uint8_t>(color[channel]);
}

unsigned load_little(const std::byte* bytes, unsigned count) {
  unsigned value = 0;
  for (unsigned i = count; i-- > 0;) value = value << 8U | std::to_integer<unsigned>(bytes[i]);
  return value;
}

// Five and six bits become eight by repeating their upper ones.
Rgb from_565(unsigned color) {
  const auto red = color >> 11U, green = color >> 5U & 63U, blue = color & 31U;
  return {red << 3U | red >> 2U, green << 2U | green >> 4U, blue << 3U | blue >> 2U};
}

// To the nearest value.
Rgb mixed(const Rgb& a, unsigned of_a, const Rgb& b, unsigned of_b) {
  const auto parts = of_a + of_b;
  Rgb result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = (a[i] * of_a + b[i] * of_b + parts / 2) / parts;
  return result;
}

BlockPixels decode_bc1(const std::byte* block) {
  const auto first = load_little(block, 2), second = load_little(block + 2, 2);
  std::array<Rgb, 4> colors{from_565(first), from_565(second)};
  if (first > second) {
    colors[2] = mixed(colors[0], 2, colors[1], 1);
    colors[3] = mixed(colors[0], 1, colors[1], 2);
  } else {
    colors[2] = mixed(colors[0], 1, colors[1], 1);  // and the fourth is black
  }
  const auto indices = load_little(block + 4, 4);
  BlockPixels out{};
  for (unsigned pixel = 0; pixel < pixels_of_block; ++pixel) put(out, pixel, colors[indices >> 2 * pixel & 3U]);
  return out;
}

// Reads a BC7 block from its lowest bit on.
class Bits {
public:
  explicit Bits(const std::byte* block) {
    std::array<std::byte, 16> bytes{};
    std::memcpy(bytes.data(), block, bytes.size());
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned i = 0; i < 8; ++i) halves_[half] |= std::to_integer<std::uint64_t>(bytes[half * 8 + i]) << 8 * i;
  }
  unsigned take(unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i, ++at_) value |= static_cast<unsigned>(halves_[at_ / 64] >> at_ % 64 & 1U) << i;
    return value;
  }

private:
  std::array<std::uint64_t, 2> halves_{};
  unsigned at_ = 0;
};

// Of a block: by endpoint (two of each subset), red, green, blue, alpha.
using Endpoints = std::array<std::array<unsigned, 4>, 6>;

unsigned extended(unsigned value, unsigned bits) {
  value <<= 8 - bits;
  return value | value >> bits;
}

Endpoints read_endpoints(const bc7::Mode& mode, Bits& bits) {
  Endpoints ends{};
  const unsigned count = 2 * mode.subsets;
  for (unsigned channel = 0; channel < 4; ++channel)
    for (unsigned end = 0; end < count; ++end)
      ends[end][channel] = bits.take(channel < 3 ? mode.color_bits : mode.alpha_bits);
  if (mode.low_bits != bc7::LowBits::none) {
    const bool shared = mode.low_bits == bc7::LowBits::of_subset;
    for (unsigned end = 0; end < count; end += shared ? 2 : 1) {
      const auto low = bits.take(1);
      for (unsigned i = end; i < end + (shared ? 2 : 1); ++i)
        for (auto& value : ends[i]) value = value << 1U | low;
    }
  }
  const unsigned low = mode.low_bits != bc7::LowBits::none ? 1 : 0;
  for (unsigned end = 0; end < count; ++end)
    for (unsigned channel = 0; channel < 4; ++channel) {
      const auto own = channel < 3 ? mode.color_bits : mode.alpha_bits;
      ends[end][channel] = own > 0 ? extended(ends[end][channel], own + low) : 255;
    }
  return ends;
}

using Indices = std::array<unsigned, pixels_of_block>;

// The highest bit of an anchor's index is 0, and is not stored.
Indices read_indices(unsigned index_bits, unsigned subsets, unsigned partition, Bits& bits) {
  Indices indices{};
  for (unsigned pixel = 0; pixel < pixels_of_block; ++pixel)
    indices[pixel] = bits.take(index_bits - (bc7::is_anchor(subsets, partition, pixel) ? 1 : 0));
  return indices;
}

unsigned interpolated(unsigned first, unsigned second, unsigned index, unsigned index_bits) {
  const auto weight = bc7::weights(index_bits)[index];
  return ((64 - weight) * first + weight * second + 32) >> 6U;
}

BlockPixels decode_bc7(const std::byte* block) {
  const auto number = static_cast<unsigned>(std::countr_zero(std::to_integer<unsigned>(*block) | 0x100U));
  if (number >= bc7::modes.size()) return {};  // reserved: black
  const auto& mode = bc7::modes[number];
  Bits bits(block);
  bits.take(number + 1);
  const auto partition = bits.take(mode.partition_bits);
  const auto rotation = bits.take(mode.rotation_bits);
  const bool swapped = bits.take(mode.selector_bits) != 0;
  const auto ends = read_endpoints(mode, bits);
  const auto first = read_indices(mode.index_bits, mode.subsets, partition, bits);
  const auto second = mode.second_index_bits > 0 ? read_indices(mode.second_index_bits, 1, 0, bits) : first;
  const auto second_bits = mode.second_index_bits > 0 ? mode.second_index_bits : mode.index_bits;
  const auto& of_color = swapped ? second : first;
  const auto& of_alpha = swapped ? first : second;
  const auto color_bits = swapped ? second_bits : mode.index_bits;
  const auto alpha_bits = swapped ? mode.index_bits : second_bits;

  BlockPixels out{};
  for (unsigned pixel = 0; pixel < pixels_of_block; ++pixel) {
    const auto* end = &ends[2 * std::size_t{bc7::subset(mode.subsets, partition, pixel)}];
    Rgb color{};
    for (std::size_t i = 0; i < 3; ++i) color[i] = interpolated(end[0][i], end[1][i], of_color[pixel], color_bits);
    // The channel that alpha was exchanged with.
    if (rotation > 0) color[rotation - 1] = interpolated(end[0][3], end[1][3], of_alpha[pixel], alpha_bits);
    put(out, pixel, color);
  }
  return out;
}

}  // namespace

BlockPixels decode_block(PixelFormat format, const std::byte* block) {
  assert(info(format).has_blocks());
  return format == PixelFormat::bc7 ? decode_bc7(block) : decode_bc1(block);
}

void decode_blocks(PixelFormat format, const std::byte* blocks, unsigned width, unsigned height, std::uint8_t* rgb,
                   std::size_t stride) {
  const auto block_bytes = info(format).group_bytes;
  for (unsigned y = 0; y < height; y += block_side)
    for (unsigned x = 0; x < width; x += block_side, blocks += block_bytes) {
      const auto pixels = decode_block(format, blocks);
      const auto bytes = std::size_t{std::min(block_side, width - x)} * 3;
      for (unsigned row = 0; row < std::min(block_side, height - y); ++row)
        std::memcpy(rgb + (y + row) * stride + std::size_t{x} * 3, pixels.data() + std::size_t{row} * block_side * 3,
                    bytes);
    }
}

}  // namespace lw
