// Says in the directories that a visualization is read from that it plays, so that wall-ingest gives way: see
// common/store/playing_file.h. May wait for a disk, so not for the threads of data path and control.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/store/manifest.h"

namespace lw {

// What is read from each directory in bytes per second: from that of the visualization's folder, and from those of its
// stripe folders.
using PlayingNeeds = std::map<std::filesystem::path, std::uint64_t>;
PlayingNeeds playing_needs(const std::filesystem::path& folder, const Manifest& manifest, double rate);

class PlayingLocks {
public:
  // The file is made in directories of `content` only: a store names its stripe folders itself, and a hostile one must
  // not have files made anywhere. wall-ingest makes it where it writes stripes.
  explicit PlayingLocks(std::vector<std::filesystem::path> content) : content_(std::move(content)) {}
  ~PlayingLocks();
  PlayingLocks(const PlayingLocks&) = delete;
  PlayingLocks& operator=(const PlayingLocks&) = delete;

  // Holds a lock in these directories and in no other. Where that fails it is tried again with each call; the errors
  // are of directories that fail for the first time.
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
  std::map<std::filesystem::path, bool> failed_;  // and said
};

}  // namespace lw
