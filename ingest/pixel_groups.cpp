#include "ingest/pixel_groups.h"

#include <array>

namespace lw {

void pack_groups_10(const std::uint16_t* luma, const std::uint16_t* cb, const std::uint16_t* cr, unsigned groups,
                    std::byte* out) {
  for (unsigned group = 0; group < groups; ++group, out += 5) {
    const unsigned b = cb[group];
    const unsigned y0 = luma[group * 2];
    const unsigned r = cr[group];
    const unsigned y1 = luma[group * 2 + 1];
    out[0] = static_cast<std::byte>(b >> 2U);
    out[1] = static_cast<std::byte>((b & 3U) << 6U | y0 >> 4U);
    out[2] = static_cast<std::byte>((y0 & 15U) << 4U | r >> 6U);
    out[3] = static_cast<std::byte>((r & 63U) << 2U | y1 >> 8U);
    out[4] = static_cast<std::byte>(y1 & 255U);
  }
}

void unpack_groups_10(const std::byte* in, unsigned groups, std::uint16_t* luma, std::uint16_t* cb, std::uint16_t* cr) {
  for (unsigned group = 0; group < groups; ++group, in += 5) {
    const auto byte = [in](int i) { return std::to_integer<unsigned>(in[i]); };
    cb[group] = static_cast<std::uint16_t>(byte(0) << 2U | byte(1) >> 6U);
    luma[group * 2] = static_cast<std::uint16_t>((byte(1) & 63U) << 4U | byte(2) >> 4U);
    cr[group] = static_cast<std::uint16_t>((byte(2) & 15U) << 6U | byte(3) >> 2U);
    luma[group * 2 + 1] = static_cast<std::uint16_t>((byte(3) & 3U) << 8U | byte(4));
  }
}

// Two pixels are 60 bits: the second pair of a group begins within a byte.
void pack_rgb_10(const std::uint16_t* red, const std::uint16_t* green, const std::uint16_t* blue, unsigned groups,
                 std::byte* out) {
  for (unsigned group = 0; group < groups; ++group, red += 4, green += 4, blue += 4) {
    const auto pair = [&](unsigned x) {
      std::uint64_t bits = 0;
      for (unsigned at = x; at < x + 2; ++at)
        bits = bits << 30U | unsigned{red[at]} << 20U | green[at] << 10U | blue[at];
      return bits;
    };
    const auto first = pair(0), second = pair(2);
    for (int shift = 52; shift >= 4; shift -= 8) *out++ = static_cast<std::byte>(first >> shift);
    *out++ = static_cast<std::byte>(first << 4U | second >> 56U);
    for (int shift = 48; shift >= 0; shift -= 8) *out++ = static_cast<std::byte>(second >> shift);
  }
}

void unpack_rgb_10(const std::byte* in, unsigned groups, std::uint16_t* red, std::uint16_t* green,
                   std::uint16_t* blue) {
  for (unsigned group = 0; group < groups; ++group, in += 15) {
    const auto bits = [in](unsigned first, unsigned count) {
      std::uint64_t value = 0;
      for (unsigned i = first; i < first + count; ++i) value = value << 8U | std::to_integer<unsigned>(in[i]);
      return value;
    };
    const std::array pairs{bits(0, 8) >> 4U, bits(7, 8)};
    for (unsigned x = 0; x < 4; ++x) {
      const auto pixel = pairs[x / 2] >> (x % 2 == 0 ? 30U : 0U);
      *red++ = static_cast<std::uint16_t>(pixel >> 20U & 1023U);
      *green++ = static_cast<std::uint16_t>(pixel >> 10U & 1023U);
      *blue++ = static_cast<std::uint16_t>(pixel & 1023U);
    }
  }
}

}  // namespace lw
