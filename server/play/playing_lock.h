// Marks the directories from which a visualization is read as playing, so that wall-ingest yields: see
// common/store/playing_file.h. May block on a disk: not for the threads of the data path and control.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/store/manifest.h"

namespace lw {

// The read rate in bytes per second for each directory: those of the visualization's folder and of its stripe
// folders.
using PlayingNeeds = std::map<std::filesystem::path, std::uint64_t>;
PlayingNeeds playing_needs(const std::filesystem::path& folder, const Manifest& manifest, double rate);

class PlayingLocks {
public:
  // Creates the file in directories of `content` only: a store names its stripe folders itself, and a hostile one must
  // not cause files to be created anywhere. wall-ingest creates it where it writes stripes.
  explicit PlayingLocks(std::vector<std::filesystem::path> content) : content_(std::move(content)) {}
  ~PlayingLocks();
  PlayingLocks(const PlayingLocks&) = delete;
  PlayingLocks& operator=(const PlayingLocks&) = delete;

  // Holds a lock in exactly these directories. Tries again with each call where that failed; returns errors only for
  // directories that have failed for the first time.
  std::vector<Error> hold(const PlayingNeeds& needs);

private:
  struct Lock {
    int fd = -1;
    std::size_t offset = 0;
    std::uint64_t bytes_per_second = 0;
  };
  Result<Lock> take(const std::filesystem::path& directory) const;
  static Result<void> write(const Lock& lock, const std::filesystem::path& directory);

  std::vector<std::filesystem::path> content_;
  std::map<std::filesystem::path, Lock> held_;
  std::map<std::filesystem::path, bool> failed_;  // and reported
};

}  // namespace lw
