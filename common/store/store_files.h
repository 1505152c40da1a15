// A store with all its files open: the files that were checked are those that are read, whatever happens to their
// names. Opens only regular files, and follows no links (common/base/beneath.h, stripe_folder.h).
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/sound_file.h"
#include "common/store/stripe_folder.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace lw {

// The state of a file when it was checked. Writing to it or truncating it changes one of these.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::int64_t seconds = 0;  // of the last write, since the epoch
  std::uint32_t nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};
std::optional<FileStamp> stamp_of(int file);  // asks the kernel, never a disk or another host

struct StoreFile {
  std::filesystem::path path;
  Descriptor file;  // none if it would contain no frames, the store does not hold the tile, or only a copy is there
  ParsedNpy npy;
  FileStamp stamp;
};

// A directory of stripes that is missing, or of which files are; others have copies of them all.
struct MissingStripe {
  std::filesystem::path path;
  Error error;  // the first
};

struct StoreFiles {
  Manifest manifest;
  std::filesystem::path path;
  Descriptor folder;
  std::optional<timespec> made;        // when the manifest was written
  std::vector<StripeFolder> stripes;   // without a descriptor if it is missing
  std::vector<StoreFile> files;        // stripe * tiles + tile
  std::vector<StoreFile> copies;       // of these; empty if the store has none
  std::vector<MissingStripe> missing;  // of a store with copies
  std::optional<SoundFile> sound;
};

// Rejects a manifest before its files are opened.
using AcceptManifest = std::function<Result<void>(const Manifest&)>;

// For an open folder; `path` is its name for errors, which name the file and the reason. Rejects a store that is
// half-written, being written to, or replaced meanwhile. Of a store with copies, stripes may be missing as long as
// there is one of each pair of files.
Result<StoreFiles> open_store_files(Descriptor folder, const std::filesystem::path& path, const StripeRoots& roots = {},
                                    const AcceptManifest& accept = {});
// For a folder named by a person.
Result<StoreFiles> open_store_files(const std::filesystem::path& folder);

// The same checks, but does not keep the files open.
Result<StoreFiles> check_store_files(Descriptor folder, const std::filesystem::path& path,
                                     const StripeRoots& roots = {});
Result<Manifest> load_store(const std::filesystem::path& folder);

}  // namespace lw
