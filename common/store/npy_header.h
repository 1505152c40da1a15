// The header of a stripe file: NumPy's .npy format version 1.0 or 2.0 (numpy.lib.format), padded to 4096 bytes so that
// frames are O_DIRECT-aligned. A record is a frame of one tile, (rows, columns-of-bytes) unsigned bytes; where a frame is
// no multiple of 4096 bytes the dtype is a structure of "frame" and "padding" instead.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lw {

struct NpyShape {
  std::uint64_t records = 0;
  unsigned rows = 0;           // of the tile
  std::size_t row_bytes = 0;   // of one row of pixels
  std::size_t padding = 0;     // bytes after each frame
  bool operator==(const NpyShape&) const = default;
};

// Exactly store_alignment bytes.
std::string npy_header(const NpyShape& shape);
// Accepts what npy_header writes and what NumPy writes for the same shape, including arrays of shape
// (records, rows, width, 3) for rgb8; header_bytes out is where frames start. (Fuzzed.)
struct ParsedNpy {
  NpyShape shape;
  std::size_t header_bytes = 0;
};
Result<ParsedNpy> parse_npy_header(std::span<const std::byte> start_of_file);

}  // namespace lw
