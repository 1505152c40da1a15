// A store with all its files open: what is checked is what is read, whatever happens to the names meanwhile. Opens
// regular files only, and follows no links (common/base/beneath.h, stripe_folder.h).
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_folder.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace lw {

// What a file was like when it was checked. Whoever writes to it or cuts it short changes one of these.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::int64_t seconds = 0;  // of the last write, since the epoch
  std::uint32_t nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};
std::optional<FileStamp> stamp_of(int file);  // asks the kernel, and never a disk or another host

struct StoreFile {
  std::filesystem::path path;
  Descriptor file;  // none where it would hold no frame
  ParsedNpy npy;
  FileStamp stamp;
};

struct StoreFiles {
  Manifest manifest;
  std::filesystem::path path;
  Descriptor folder;
  std::optional<timespec> made;  // when the manifest was written
  std::vector<StripeFolder> stripes;
  std::vector<StoreFile> files;  // stripe * tiles + tile
};

// Refuses a manifest before the files that it names are looked for.
using AcceptManifest = std::function<Result<void>(const Manifest&)>;

// Of a folder that is open; `name` is the visualization's. Errors name the file and the reason: a store that is
// half-written, that somebody is writing to, or that was replaced meanwhile, is refused.
Result<StoreFiles> open_store_files(Descriptor folder, const std::filesystem::path& path, const StripeRoots& roots = {},
                                    const AcceptManifest& accept = {});
// Of a folder that a person named.
Result<StoreFiles> open_store_files(const std::filesystem::path& folder);

// The same checks, without keeping the files open.
Result<StoreFiles> check_store_files(Descriptor folder, const std::filesystem::path& path,
                                     const StripeRoots& roots = {});
Result<Manifest> load_store(const std::filesystem::path& folder);

}  // namespace lw
