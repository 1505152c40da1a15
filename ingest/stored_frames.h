// Reads the frames of a store that is complete on its disks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "common/base/result.h"
#include "common/store/checksum.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"

namespace lw {

// Reads all of `to`; false if it cannot.
bool read_whole(int file, std::uint64_t offset, std::span<std::byte> to);

class StoredFrames {
public:
  // For a folder named by a person. Checks that the checksums, if there are any, are those of the manifest's frames.
  static Result<StoredFrames> open(const std::filesystem::path& folder);

  [[nodiscard]] const Manifest& manifest() const { return files_.manifest; }
  [[nodiscard]] const StripeLayout& layout() const { return layout_; }
  [[nodiscard]] const StoreFiles& files() const { return files_; }
  // Of all tiles; none: the store has no checksums.
  [[nodiscard]] const std::optional<ChecksumTable>& sums() const { return sums_; }
  // The directories that contain the visualization's folders: of its stripes, one for each disk.
  [[nodiscard]] std::vector<std::filesystem::path> directories() const;

  // The file that has this copy of a frame's tile.
  [[nodiscard]] const StoreFile& file_of(std::uint32_t frame, TileIndex tile, unsigned copy) const;
  // The pixels of that copy; empty if they cannot be read. They are in `buffer`, which has the layout's
  // stored_bytes_max(). Any thread.
  [[nodiscard]] std::optional<std::span<const std::byte>> read(std::uint32_t frame, TileIndex tile, unsigned copy,
                                                               std::span<std::byte> buffer) const;
  // Whether these are the frame's pixels, as far as the store has checksums.
  [[nodiscard]] bool is_good(std::uint32_t frame, TileIndex tile, std::span<const std::byte> pixels) const {
    return !sums_ || checksum(pixels) == sums_->at(frame, tile.value);
  }

private:
  explicit StoredFrames(StoreFiles files) : files_(std::move(files)), layout_(files_.manifest) {}

  StoreFiles files_;
  StripeLayout layout_;
  std::optional<ChecksumTable> sums_;
};

}  // namespace lw
