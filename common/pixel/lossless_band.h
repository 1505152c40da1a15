// A band of the format `lossless`: the pixels of rgb8, compressed in chunks of rows that are independent of each other,
// so that a lost packet spoils few rows, and threads decode a band together. docs/frame-store.md describes it for
// others. Numbers are little-endian.
//
//    4    octets in use: of all that follows, these four included; a multiple of 16
//    2    rows of the band
//    2    rows of a chunk: 8; the last chunk has the rest
//    4n   octets of each of its n chunks
//         chunks, one behind the other
//         zeros, as many as make the octets in use a multiple of 16
//    8+4n the same table again, in a band of more than one chunk: either is enough to find the chunks
//
// A chunk that is as long as its pixels contains these. A shorter one is a frame of Zstandard (RFC 8878), of three
// planes: G, R - G, B - G (modulo 256), each value less its left neighbour in the row.
//
// The memory of a band has the size that no content exceeds (row_bytes); octets that are not in use are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lw {

inline constexpr unsigned lossless_chunk_rows = 8;

// Of a band.
constexpr unsigned lossless_chunks(unsigned rows) { return (rows + lossless_chunk_rows - 1) / lossless_chunk_rows; }
constexpr std::size_t lossless_table_bytes(unsigned rows) { return 8 + std::size_t{4} * lossless_chunks(rows); }
// Where a band's second table begins; 0: it has none.
constexpr std::size_t lossless_second_table(unsigned rows, std::size_t used) {
  return lossless_chunks(rows) > 1 && used > lossless_table_bytes(rows) ? used - lossless_table_bytes(rows) : 0;
}
// The octets in use, by the first four of a band; `memory`, its size, if they make no sense.
std::size_t lossless_used(const std::byte* first_four, std::size_t memory);

// Where a band's chunks are. Allocates only for bands of more rows than before.
class LosslessTable {
public:
  struct Chunk {
    std::size_t offset = 0;  // in the band
    std::size_t bytes = 0;
    unsigned first_row = 0;
    unsigned rows = 0;
  };

  // From the bytes of one of the tables of a band of which so many octets are in use. False, and no chunks, if it is
  // not that of such a band. (Fuzzed.)
  bool read(std::span<const std::byte> table, unsigned width, unsigned rows, std::size_t used);
  void clear() { chunks_.clear(); }
  void reserve(unsigned rows) { chunks_.reserve(lossless_chunks(rows)); }
  [[nodiscard]] std::span<const Chunk> chunks() const { return chunks_; }

private:
  std::vector<Chunk> chunks_;
};

// Each for one thread. They allocate only when bands become wider.
class LosslessEncoder {
public:
  LosslessEncoder();
  ~LosslessEncoder();
  LosslessEncoder(const LosslessEncoder&) = delete;
  LosslessEncoder& operator=(const LosslessEncoder&) = delete;

  // `rgb` has rows of width * 3 bytes, `stride` bytes apart. Fills the memory of a band, and returns the octets in use.
  std::size_t encode(const std::byte* rgb, std::size_t stride, unsigned width, unsigned rows,
                     std::span<std::byte> band);

private:
  struct Context;
  std::unique_ptr<Context> context_;
  std::vector<std::byte> planes_, packed_;
};

class LosslessDecoder {
public:
  LosslessDecoder();
  ~LosslessDecoder();
  LosslessDecoder(const LosslessDecoder&) = delete;
  LosslessDecoder& operator=(const LosslessDecoder&) = delete;

  // Puts the pixels of a chunk's rows there. False if the bytes are not a chunk of this size: then the rows may be
  // overwritten in part, and nothing else. (Fuzzed.)
  bool decode(std::span<const std::byte> chunk, unsigned width, unsigned rows, std::byte* rgb, std::size_t stride);
  // All of a band's. False if any of it is invalid.
  bool decode_band(std::span<const std::byte> band, unsigned width, unsigned rows, std::byte* rgb, std::size_t stride);
  // All of a tile's, whatever its bands are: each says how many rows it has.
  bool decode_tile(std::span<const std::byte> tile, unsigned width, unsigned height, std::byte* rgb,
                   std::size_t stride);
  void reserve(unsigned width);

private:
  struct Context;
  std::unique_ptr<Context> context_;
  std::vector<std::byte> planes_;
  LosslessTable table_;
};

}  // namespace lw
