// Headers of NumPy's .npy format, versions 1.0 and 2.0 (numpy.lib.format), as far as stores use them.
//
// A stripe file's records are frames of one tile, (rows, row bytes) unsigned bytes; if a frame is not a multiple of
// 4096 bytes, the dtype is a structure of "frame" and "padding"; frames that lie as packets are a structure of their
// slots. The header is padded to 4096 bytes, so that frames are aligned for O_DIRECT. Files with NumPy's own shorter
// header are also read, through the page cache.
#pragma once

#include "common/base/result.h"
#include "common/wall/tile_slots.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lw {

// A plain array.
struct NpyArray {
  std::string descr;  // "<u8", "|u1"
  std::vector<std::uint64_t> shape;
  std::size_t header_bytes = 0;  // where the data start
};
Result<NpyArray> parse_npy_array(std::span<const std::byte> start_of_file);
std::string npy_array_header(const std::string& descr, const std::vector<std::uint64_t>& shape, std::size_t alignment);

struct NpyShape {
  std::uint64_t records = 0;
  unsigned rows = 0;          // of the tile
  std::size_t row_bytes = 0;  // of one row of pixels
  std::size_t padding = 0;    // bytes after each frame
  bool operator==(const NpyShape&) const = default;
};

// Exactly store_alignment bytes.
std::string npy_header(const NpyShape& shape);
// The same for records that are packets: a structure "band0", "band1", ... of blocks of slots.
std::string npy_header(const TileSlots& slots, std::uint64_t records);

struct ParsedNpy {
  NpyShape shape;
  std::size_t header_bytes = 0;
};
// Accepts the output of npy_header and what NumPy writes for the same bytes: u1 arrays of shape (records, rows, ...),
// where the product of the dimensions after the second is row_bytes, and the structure with padding. (Fuzzed.)
Result<ParsedNpy> parse_npy_header(std::span<const std::byte> start_of_file);
// Accepts only such records of these slots. `rows` and `row_bytes` stay 0.
Result<ParsedNpy> parse_npy_header(std::span<const std::byte> start_of_file, const TileSlots& slots);

}  // namespace lw
