// The Internet checksum (RFC 1071): the ones' complement sum of 16-bit words. Sums of parts may be added before
// folding; if the words include the complement of the sum, the folded sum is all ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lw {

// Sum of 16-bit words; an odd byte at the end is ignored.
inline std::uint32_t sum_of_words(const std::byte* bytes, std::size_t count) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at + 2 <= count; at += 2)
    sum += std::to_integer<std::uint32_t>(bytes[at]) << 8U | std::to_integer<std::uint32_t>(bytes[at + 1]);
  return sum;
}

inline std::uint16_t folded(std::uint32_t sum) {
  sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>((sum & 0xffffU) + (sum >> 16U));
}

inline bool checksum_holds(const std::byte* bytes, std::size_t count) {
  return folded(sum_of_words(bytes, count)) == 0xffff;
}

}  // namespace lw
