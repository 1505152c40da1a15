// The visualizations in the content directories. Called by the control thread only.
#pragma once

#include "common/base/result.h"
#include "common/store/manifest.h"
#include "common/wall/wall_file.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct LibraryEntry {
  std::filesystem::path folder;
  Manifest manifest;
};

// A folder that looks like a visualization but cannot be played, and why.
struct RejectedEntry {
  std::filesystem::path folder;
  Error error;
};

class Library {
public:
  explicit Library(std::vector<std::filesystem::path> content_directories)
      : directories_(std::move(content_directories)) {}

  // Looks through the content directories anew: each sub-folder with a visualization.json is one. Names are unique; the
  // first directory that has a name wins and the others are rejected. A directory that cannot be read is an error.
  Result<void> scan();
  [[nodiscard]] const std::vector<std::filesystem::path>& directories() const { return directories_; }
  [[nodiscard]] const std::vector<LibraryEntry>& entries() const { return entries_; }  // sorted by name
  [[nodiscard]] const std::vector<RejectedEntry>& rejected() const { return rejected_; }
  [[nodiscard]] const LibraryEntry* find(std::string_view name) const;

private:
  std::vector<std::filesystem::path> directories_;
  std::vector<LibraryEntry> entries_;
  std::vector<RejectedEntry> rejected_;
};

// What playing a visualization at its own frame rate puts on the wire as pixels, all tiles together.
BitRate pixel_rate(const Manifest& manifest);

}  // namespace lw
