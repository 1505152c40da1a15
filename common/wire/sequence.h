// Sequence numbers that wrap. RTP's 16 bits wrap in 0.02 s at 40 Gbit/s with 1400-byte packets, so all code uses 64
// bits, and only the wire has 16 (RFC 3550) or 32 (RFC 4175 extended).
#pragma once

#include <cstdint>

namespace lw {

// The 64-bit number nearest to `reference` whose low `Bits` bits are `wire`.
template <unsigned Bits>
constexpr std::int64_t unroll(std::int64_t reference, std::uint32_t wire) {
  static_assert(Bits == 16 || Bits == 32);
  constexpr std::int64_t span = std::int64_t{1} << Bits;
  auto distance = (static_cast<std::int64_t>(wire) - reference) % span;  // in (-span, span)
  if (distance < -span / 2) distance += span;
  if (distance >= span / 2) distance -= span;
  return reference + distance;
}

// RTP timestamps, 90 kHz: the signed distance from `from` to `to` in ticks, for distances below 2^31 (6.6 hours).
constexpr std::int32_t timestamp_distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>(to - from);
}

// Ticks and generations: the signed distance from `from` to `to`, for distances below 2^15.
constexpr std::int16_t distance_16(std::uint16_t from, std::uint16_t to) {
  return static_cast<std::int16_t>(to - from);
}

}  // namespace lw
