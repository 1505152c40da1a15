// Records the progress of an import, so that an interrupted one can continue: the recipe (the source with its size and
// time, and every option that changes a pixel), the number of frames, and their checksums. The journal never names a
// frame that is not on the disks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.h"

namespace lw {

class Journal {
public:
  // `name`: that of its files, which several journals in a folder must not share.
  Journal(std::filesystem::path folder, std::string recipe, unsigned tiles, std::string name = "journal")
      : folder_(std::move(folder)), name_(std::move(name)), recipe_(std::move(recipe)), tiles_(tiles) {}

  // Frames and checksums (of each tile's frame) of an earlier run with the same recipe, if there was one.
  std::optional<std::vector<std::uint64_t>> resume();
  // Whether the frames of resume() were recorded as all that there will be.
  [[nodiscard]] bool complete() const { return complete_; }
  // Call when the frames are on the disks. `checksums` covers all frames so far.
  Result<void> record(std::span<const std::uint64_t> checksums, bool complete = false);
  // Removes the journal, which is not part of a finished store.
  void remove() const;

private:
  [[nodiscard]] std::filesystem::path state_file() const { return folder_ / (name_ + ".json"); }
  [[nodiscard]] std::filesystem::path checksum_file() const { return folder_ / (name_ + ".checksums"); }
  [[nodiscard]] std::filesystem::path next_file() const { return folder_ / (name_ + ".next"); }

  std::filesystem::path folder_;
  std::string name_;
  std::string recipe_;
  unsigned tiles_;
  std::size_t recorded_ = 0;  // checksums in the file
  bool complete_ = false;
};

}  // namespace lw
