// The visualizations in the content directories. Called by the control thread only.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/store/manifest.h"
#include "common/store/store_files.h"
#include "common/wall/wall_file.h"

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct LibraryEntry {
  std::filesystem::path folder;
  Manifest manifest;
  std::optional<WallTime> made;  // when the manifest was written
};

// A folder that looks like a visualization but cannot be played, and why.
struct RejectedEntry {
  std::filesystem::path folder;
  Error error;
};

// A content directory that cannot be read: its disk is not mounted, or failed.
struct MissingDirectory {
  std::filesystem::path directory;
  Error error;
  std::vector<std::string> names;  // of the visualizations that it had when it was last read
};

class Library {
public:
  // `stripe_roots`: directories in which stripes may lie besides; none: wherever a manifest says.
  explicit Library(std::vector<std::filesystem::path> content_directories,
                   std::vector<std::filesystem::path> stripe_roots = {})
      : directories_(std::move(content_directories)), roots_{directories_, std::move(stripe_roots)} {}

  // Looks through the content directories anew: each sub-folder with a visualization.json is one. Names are unique; the
  // first directory that has a name wins and the others are rejected. What a directory that cannot be read had is
  // missing until it can be read again; the others are not touched by that.
  void scan();
  // Whether a content directory went away since the last scan, or came back. Cheap.
  [[nodiscard]] bool directories_changed() const;

  [[nodiscard]] const std::vector<std::filesystem::path>& directories() const { return directories_; }
  [[nodiscard]] const std::vector<LibraryEntry>& entries() const { return entries_; }  // sorted by name
  [[nodiscard]] const std::vector<RejectedEntry>& rejected() const { return rejected_; }
  [[nodiscard]] const std::vector<MissingDirectory>& missing() const { return missing_; }
  [[nodiscard]] const LibraryEntry* find(std::string_view name) const;
  // Why this visualization cannot be found.
  [[nodiscard]] Error no_such(std::string_view name) const;

  // The folder of a visualization, as it is now.
  [[nodiscard]] static Result<Descriptor> open_folder(const LibraryEntry& entry);
  // All its files, open and checked. What its manifest says now counts, not what the last scan found.
  [[nodiscard]] Result<StoreFiles> open(const LibraryEntry& entry, const AcceptManifest& accept = {}) const;
  [[nodiscard]] const StripeRoots& roots() const { return roots_; }

private:
  Result<void> scan(const std::filesystem::path& directory, const std::vector<std::string>& had);
  void take(const std::filesystem::path& directory, int folder, const std::string& name);

  std::vector<std::filesystem::path> directories_;
  StripeRoots roots_;
  std::vector<LibraryEntry> entries_;
  std::vector<RejectedEntry> rejected_;
  std::vector<MissingDirectory> missing_;
  std::map<std::filesystem::path, std::optional<dev_t>> devices_;  // at the last scan
  std::map<std::filesystem::path, dev_t> home_devices_;            // when visualizations were last found there
};

// What playing a visualization at its own frame rate puts on the wire as pixels, all tiles together.
BitRate pixel_rate(const Manifest& manifest);

}  // namespace lw
