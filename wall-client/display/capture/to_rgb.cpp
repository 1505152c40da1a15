#include "wall-client/display/capture/to_rgb.h"

#include "common/pixel/block_decoder.h"
#include "common/pixel/rgb10.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace lw {
namespace {

using Group = std::array<float, 4>;  // Cb Y0 Cr Y1

Group group_8(const std::byte* bytes) {
  const auto b = [&](int i) { return static_cast<float>(std::to_integer<unsigned>(bytes[i])); };
  return {b(0), b(1), b(2), b(3)};
}

Group group_10(const std::byte* bytes) {
  const auto b = [&](int i) { return std::to_integer<unsigned>(bytes[i]); };
  return {static_cast<float>(b(0) << 2U | b(1) >> 6U), static_cast<float>((b(1) & 63U) << 4U | b(2) >> 4U),
          static_cast<float>((b(2) & 15U) << 6U | b(3) >> 2U), static_cast<float>((b(3) & 3U) << 8U | b(4))};
}

// Calls out(pixel, r, g, b) for the two pixels of each group from the first to before the end, with values from 0 to 1.
template <class Out>
void convert_ycbcr(PixelFormat format, Primaries primaries, const std::byte* row, unsigned width, unsigned first,
                   unsigned end, Out out) {
  const bool ten = format == PixelFormat::ycbcr422_10;
  const std::size_t bytes = info(format).group_bytes;
  const auto group = [&](unsigned index) { return ten ? group_10(row + index * bytes) : group_8(row + index * bytes); };
  const float black = ten ? 64 : 16;
  const float luma_range = ten ? 876 : 219;
  const float chroma_zero = ten ? 512 : 128;
  const float chroma_range = ten ? 896 : 224;
  const unsigned groups = width / 2;
  const auto& matrix = ycbcr_matrix(primaries);
  for (unsigned index = first; index < end; ++index) {
    const Group here = group(index);
    const Group next = group(std::min(index + 1, groups - 1));
    for (unsigned odd = 0; odd < 2; ++odd) {
      const float luma = ((odd != 0 ? here[3] : here[1]) - black) / luma_range;
      const float cb = ((odd != 0 ? (here[0] + next[0]) / 2 : here[0]) - chroma_zero) / chroma_range;
      const float cr = ((odd != 0 ? (here[2] + next[2]) / 2 : here[2]) - chroma_zero) / chroma_range;
      out(index * 2 + odd, luma + matrix.red_cr * cr, luma - matrix.green_cb * cb - matrix.green_cr * cr,
          luma + matrix.blue_cb * cb);
    }
  }
}

// To values up to `max`, rounded.
constexpr unsigned scaled_10(unsigned value, unsigned max) { return (value * max + 511) / 1023; }

template <class T>
T quantized(float value, float max) {
  return static_cast<T>(std::lround(std::clamp(value, 0.0F, 1.0F) * max));
}

// Of formats other than rgb8.
template <class T>
void row_to(PixelFormat format, const std::byte* row, unsigned width, T* rgb, Primaries primaries) {
  constexpr unsigned max = std::numeric_limits<T>::max();
  if (format == PixelFormat::rgb10) {
    for (unsigned x = 0; x < width; ++x)
      for (const auto value : rgb10_at(row, x)) *rgb++ = static_cast<T>(scaled_10(value, max));
    return;
  }
  convert_ycbcr(format, primaries, row, width, 0, width / 2, [rgb](unsigned pixel, float r, float g, float b) {
    rgb[pixel * 3] = quantized<T>(r, max);
    rgb[pixel * 3 + 1] = quantized<T>(g, max);
    rgb[pixel * 3 + 2] = quantized<T>(b, max);
  });
}

}  // namespace

void row_to_rgb8(PixelFormat format, const std::byte* row, unsigned width, std::uint8_t* rgb, Primaries primaries) {
  if (format != PixelFormat::rgb8) return row_to(format, row, width, rgb, primaries);
  std::memcpy(rgb, row, std::size_t{width} * 3);
}

void row_to_rgb16(PixelFormat format, const std::byte* row, unsigned width, std::uint16_t* rgb, Primaries primaries) {
  if (format != PixelFormat::rgb8) return row_to(format, row, width, rgb, primaries);
  for (unsigned i = 0; i < width * 3; ++i) rgb[i] = static_cast<std::uint16_t>(std::to_integer<unsigned>(row[i]) * 257);
}

std::array<std::uint8_t, 3> pixel_to_rgb8(PixelFormat format, const std::byte* frame, unsigned width, unsigned x,
                                          unsigned y, Primaries primaries) {
  const auto& groups = info(format);
  const std::byte* const row = frame + y / groups.group_rows * row_bytes(format, width);
  std::array<std::uint8_t, 3> rgb{};
  if (groups.has_blocks()) {
    const auto block = decode_block(format, row + std::size_t{x / block_side} * groups.group_bytes);
    std::memcpy(rgb.data(), block.data() + std::size_t{y % block_side * block_side + x % block_side} * 3, rgb.size());
    return rgb;
  }
  if (format == PixelFormat::rgb8) {
    std::memcpy(rgb.data(), row + std::size_t{x} * 3, rgb.size());
    return rgb;
  }
  if (format == PixelFormat::rgb10) {
    std::ranges::transform(rgb10_at(row, x), rgb.begin(),
                           [](unsigned value) { return static_cast<std::uint8_t>(scaled_10(value, 255)); });
    return rgb;
  }
  convert_ycbcr(format, primaries, row, width, x / 2, x / 2 + 1, [&](unsigned at, float r, float g, float b) {
    if (at == x)
      rgb = {quantized<std::uint8_t>(r, 255), quantized<std::uint8_t>(g, 255), quantized<std::uint8_t>(b, 255)};
  });
  return rgb;
}

void fill_black(PixelFormat format, unsigned width, std::byte* row) {
  constexpr std::array<std::uint8_t, 3> rgb{0, 0, 0};
  constexpr std::array<std::uint8_t, 4> ycbcr_8{128, 16, 128, 16};
  constexpr std::array<std::uint8_t, 5> ycbcr_10{512 >> 2, 64 >> 4, (64 & 15) << 4 | 512 >> 6,
                                                 (512 & 63) << 2 | 64 >> 8, 64 & 255};
  constexpr std::array<std::uint8_t, 16> bc7{1U << 5U};  // mode 5, endpoints 0
  constexpr std::array<std::uint8_t, 8> bc1{};
  constexpr std::array<std::uint8_t, 15> rgb_10_bits{};
  const auto repeat = [&](const auto& group) {
    for (std::size_t at = 0; at < row_bytes(format, width); at += group.size())
      std::memcpy(row + at, group.data(), group.size());
  };
  switch (format) {
    case PixelFormat::rgb8:
      return repeat(rgb);
    case PixelFormat::ycbcr422_8:
      return repeat(ycbcr_8);
    case PixelFormat::ycbcr422_10:
      return repeat(ycbcr_10);
    case PixelFormat::bc7:
      return repeat(bc7);
    case PixelFormat::bc1:
      return repeat(bc1);
    case PixelFormat::rgb10:
      return repeat(rgb_10_bits);
    case PixelFormat::lossless:  // decoded before it is displayed
      break;
  }
}

}  // namespace lw
