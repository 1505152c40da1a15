// Where frame f of tile t is: stripe, file and bytes. Pure arithmetic.
#pragma once

#include "common/store/manifest.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lw {

inline constexpr std::size_t store_alignment = 4096;  // frames start at multiples of it, for O_DIRECT

struct FrameLocation {
  unsigned stripe = 0;
  std::uint64_t record = 0;  // index of the frame within the stripe file
  std::uint64_t offset = 0;  // bytes from the start of the file
};

class StripeLayout {
public:
  explicit StripeLayout(const Manifest& manifest);

  [[nodiscard]] std::size_t frame_bytes(TileIndex tile) const;  // pixels of one frame of the tile
  // Of those, in a file: with what lies between them if frames are packets (Manifest::packets).
  [[nodiscard]] std::size_t stored_bytes(TileIndex tile) const;
  [[nodiscard]] std::size_t record_bytes(TileIndex tile) const;  // of these, with the padding up to store_alignment
  // Null if frames lie row behind row.
  [[nodiscard]] const TileSlots* slots(TileIndex tile) const;
  // The largest of all tiles.
  [[nodiscard]] std::size_t frame_bytes_max() const;
  [[nodiscard]] std::size_t stored_bytes_max() const;
  [[nodiscard]] std::size_t record_bytes_max() const;
  // Of frames in slots.
  [[nodiscard]] bool has_slots() const { return !slots_.empty(); }
  // Of one frame of all tiles, and of those that the store holds.
  [[nodiscard]] std::uint64_t frame_bytes_in_all() const;
  [[nodiscard]] std::uint64_t frame_bytes_held() const;
  [[nodiscard]] std::uint64_t record_bytes_held() const;
  [[nodiscard]] std::uint64_t header_bytes() const { return store_alignment; }  // of the .npy header
  [[nodiscard]] FrameLocation locate(std::uint32_t frame, TileIndex tile) const;
  // Frames of a tile in a stripe; a stripe file's length is header_bytes + this number * record_bytes.
  [[nodiscard]] std::uint64_t records_in(unsigned stripe, TileIndex tile) const;
  [[nodiscard]] std::uint64_t file_bytes(unsigned stripe, TileIndex tile) const;
  // The start of that file: header_bytes.
  [[nodiscard]] std::string header(unsigned stripe, TileIndex tile) const;
  [[nodiscard]] unsigned copies() const { return copies_; }  // of each file
  // The stripe whose directory has this copy of a stripe's file; copy 0 is the file itself.
  [[nodiscard]] unsigned directory_of(unsigned stripe, unsigned copy) const { return (stripe + copy) % stripes_; }
  // Bytes of a tile's files in this directory: those of its stripe, and the copies of others.
  [[nodiscard]] std::uint64_t directory_bytes(unsigned directory, TileIndex tile) const;

private:
  // Of the tiles that the store holds.
  [[nodiscard]] std::uint64_t sum_held(std::size_t (StripeLayout::*bytes)(TileIndex) const) const;

  Grid geometry_;
  PixelFormat pixel_format_;
  std::vector<TileSlots> slots_;  // of each tile, or of all; empty if frames lie row behind row
  unsigned stripes_;
  std::uint32_t frame_count_;
  std::vector<TileIndex> tiles_held_;  // empty: all
  unsigned copies_;
};

std::string stripe_file_name(const Manifest& manifest, TileIndex tile,
                             unsigned copy = 0);  // "tile-2-0.npy", "tile-2-0.copy.npy"
// That file in stripe directory `stripe` of the visualization in `folder`.
std::filesystem::path stripe_file(const std::filesystem::path& folder, const Manifest& manifest, unsigned stripe,
                                  TileIndex tile);

}  // namespace lw
