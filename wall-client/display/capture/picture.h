// An image read back from a display.
#pragma once

#include <cstddef>
#include <vector>

namespace lw {

// What a tile shows, read back for a dump: RGB, rows from top to bottom. 16 bits per channel (host byte order) for
// 10-bit content.
struct Picture {
  unsigned width = 0;
  unsigned height = 0;
  bool sixteen_bits = false;
  std::vector<std::byte> pixels;
};

}  // namespace lw
