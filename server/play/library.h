// The visualizations in the content directories. Control thread only.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/store/manifest.h"
#include "common/store/store_files.h"
#include "common/wall/wall_file.h"

#include <sys/types.h>

#include <cstdint>
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
  std::optional<WallTime> made;  // when the manifest was written; empty while it grows
};

// A folder that looks like a visualization but cannot be played, and why.
struct RejectedEntry {
  std::filesystem::path folder;
  Error error;
};

// A content directory that cannot be read, for example because its disk is not mounted or has failed.
struct MissingDirectory {
  std::filesystem::path directory;
  Error error;
  std::vector<std::string> names;  // of the visualizations it had when last read
};

class Library {
public:
  // `stripe_roots`: further directories that may contain stripes; empty: anywhere that a manifest names.
  explicit Library(std::vector<std::filesystem::path> content_directories,
                   std::vector<std::filesystem::path> stripe_roots = {})
      : directories_(std::move(content_directories)), roots_{directories_, std::move(stripe_roots)} {}

  // Scans the content directories: each sub-folder with a visualization.json is a visualization. Names are unique; the
  // first directory with a name wins, the others are rejected. A store that is still being written has its later
  // name, if it can be played as far as it is. The visualizations of an unreadable directory are missing until it can
  // be read again; this does not affect the others.
  void scan();
  // Whether since the last scan a content directory has disappeared or come back, or a folder in it has come or gone.
  // Cheap.
  [[nodiscard]] bool directories_changed() const;
  // Whether a visualization that the last scan rejected could be taken now: files can change without their directories.
  [[nodiscard]] bool a_rejected_one_is_fixed() const;

  // Whether an import that was found can be played by now (common/store/growing.h).
  [[nodiscard]] bool one_begins_to_grow() const;

  // How often it was scanned.
  [[nodiscard]] std::uint64_t scans() const { return scans_; }

  [[nodiscard]] const std::vector<std::filesystem::path>& directories() const { return directories_; }
  [[nodiscard]] const std::vector<LibraryEntry>& entries() const { return entries_; }  // sorted by name
  [[nodiscard]] const std::vector<RejectedEntry>& rejected() const { return rejected_; }
  [[nodiscard]] const std::vector<MissingDirectory>& missing() const { return missing_; }
  [[nodiscard]] const LibraryEntry* find(std::string_view name) const;
  // The error for a name that find() does not find: why, and how to fix it.
  [[nodiscard]] Error no_such(std::string_view name) const;

  // Opens the folder that now is at the visualization's path.
  [[nodiscard]] static Result<Descriptor> open_folder(const std::filesystem::path& folder);
  // Opens and checks all its files. Uses the manifest as it is now, not as the last scan found it.
  [[nodiscard]] Result<StoreFiles> open(const LibraryEntry& entry, const AcceptManifest& accept = {}) const;
  // The same for one that plays: also if the last scan rejected it, because its files were being written to.
  [[nodiscard]] Result<StoreFiles> open_again(std::string_view name, const AcceptManifest& accept) const;
  [[nodiscard]] const StripeRoots& roots() const { return roots_; }

private:
  struct DirectoryStamp {
    dev_t device = 0;
    std::int64_t seconds = 0;  // of the newest change of its entries, since the epoch
    std::uint32_t nanoseconds = 0;
    bool operator==(const DirectoryStamp&) const = default;
  };
  static std::optional<DirectoryStamp> stamp_of(const std::filesystem::path& directory);
  Result<void> scan(const std::filesystem::path& directory, const std::vector<std::string>& had);
  [[nodiscard]] Result<StoreFiles> open_at(const std::filesystem::path& folder, const AcceptManifest& accept) const;
  void take(const std::filesystem::path& directory, int folder, const std::string& name);
  void take_growing(const std::filesystem::path& directory, int folder, const std::string& name);

  std::vector<std::filesystem::path> directories_;
  StripeRoots roots_;
  std::vector<LibraryEntry> entries_;
  std::vector<RejectedEntry> rejected_;
  std::vector<std::filesystem::path> imports_;  // hidden folders in which stores are being written
  std::vector<MissingDirectory> missing_;
  std::uint64_t scans_ = 0;
  std::map<std::filesystem::path, std::optional<DirectoryStamp>> stamps_;  // as of the last scan
  std::map<std::filesystem::path, dev_t> home_devices_;                    // when visualizations were last found there
};

// The pixel data rate on the network when a visualization plays at its own frame rate, all tiles together.
BitRate pixel_rate(const Manifest& manifest);

}  // namespace lw
