#include "server/play/library.h"

#include <algorithm>
#include <system_error>

namespace lw {

Result<void> Library::scan() {
  entries_.clear();
  rejected_.clear();
  for (const auto& directory : directories_) {
    std::error_code error;
    std::filesystem::directory_iterator folders(directory, error);
    if (error)
      return Error{"cannot read the content directory " + directory.string() + ": " + error.message(),
                   "correct --content"};
    for (const auto& folder : folders) {
      const auto file_name = folder.path().filename().string();
      if (file_name.starts_with('.') || !std::filesystem::exists(folder.path() / manifest_file_name, error)) continue;
      auto manifest = load_store(folder.path());
      if (!manifest) {
        rejected_.push_back({folder.path(), manifest.error()});
      } else if (find(manifest->name) != nullptr) {
        rejected_.push_back({folder.path(), Error{"a visualization named " + manifest->name +
                                                      " is already in another content directory",
                                                  "rename one of the folders"}});
      } else {
        entries_.push_back({folder.path(), std::move(*manifest)});
      }
    }
  }
  std::ranges::sort(entries_, {}, [](const LibraryEntry& entry) -> const std::string& { return entry.manifest.name; });
  return {};
}

const LibraryEntry* Library::find(std::string_view name) const {
  const auto found = std::ranges::find(
      entries_, name, [](const LibraryEntry& entry) -> std::string_view { return entry.manifest.name; });
  return found == entries_.end() ? nullptr : &*found;
}

BitRate pixel_rate(const Manifest& manifest) {
  const auto& geometry = manifest.geometry;
  const double tile_bytes =
      static_cast<double>(row_bytes(manifest.pixel_format, geometry.tile_width)) * geometry.tile_height;
  return {tile_bytes * geometry.columns * geometry.rows * 8 * manifest.frame_rate.hertz()};
}

}  // namespace lw
