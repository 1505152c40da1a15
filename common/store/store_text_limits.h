// Limits of the texts in a manifest in bytes, and of the numbers of tags and listed tiles: lists of visualizations go
// to all operators.
#pragma once

#include <cstddef>

namespace lw {

struct StoreTextLimits {
  static constexpr std::size_t title = 1024;
  static constexpr std::size_t description = 65'536;
  static constexpr std::size_t tags = 64;
  static constexpr std::size_t tag = 256;
  static constexpr std::size_t source = 4096;
  static constexpr std::size_t path = 4096;  // of a stripe
  static constexpr std::size_t name = 255;   // of a file
  static constexpr std::size_t word = 64;
  static constexpr std::size_t tiles = 64 * 64;  // as many as a wall has
};

}  // namespace lw
