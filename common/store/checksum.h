// The checksum file of a store: XXH3-64 of every tile's frame (pixels only, without padding), little-endian 64-bit, in
// the order frame 0 tile 0, frame 0 tile 1, ...; a plain .npy array of dtype <u8 and shape (frames, tiles).
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lw {

std::uint64_t checksum(std::span<const std::byte> frame);

// The same of bytes that come one part after the other.
class RunningChecksum {
public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;

  void add(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

struct ChecksumTable {
  std::uint32_t frames = 0;
  unsigned tiles = 0;
  std::vector<std::uint64_t> values;  // frames * tiles
  [[nodiscard]] std::uint64_t at(std::uint32_t frame, unsigned tile) const {
    return values[std::size_t{frame} * tiles + tile];
  }
};
Result<ChecksumTable> load_checksums(const Beneath& folder, const std::string& name);
Result<void> save_checksums(const ChecksumTable& table, const std::filesystem::path& file);

}  // namespace lw
