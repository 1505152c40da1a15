#include "probe/hash/toeplitz.h"

#include <cassert>

namespace lw {

std::uint32_t toeplitz_hash(std::span<const std::uint8_t> key, std::span<const std::byte> input) {
  assert(key.size() >= input.size() + 4);
  std::uint32_t hash = 0;
  std::uint32_t window =
      std::uint32_t{key[0]} << 24U | std::uint32_t{key[1]} << 16U | std::uint32_t{key[2]} << 8U | key[3];
  for (std::size_t i = 0; i < input.size(); ++i)
    for (unsigned bit = 8; bit-- > 0;) {
      if (((std::to_integer<unsigned>(input[i]) >> bit) & 1U) != 0) hash ^= window;
      window = window << 1U | ((key[i + 4] >> bit) & 1U);
    }
  return hash;
}

}  // namespace lw
