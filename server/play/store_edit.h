// Changes an operator can make to a visualization on disk: edit its texts, delete it. Frames are never written. Control
// thread only.
#pragma once

#include "common/base/result.h"
#include "server/play/library.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// The texts to change; empty members stay as they are.
struct StoreText {
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::vector<std::string>> tags;
};

// Writes a new manifest beside the old one and renames it, so that a complete manifest exists at any moment. Keeps the
// file's modification time, by which people find their newest visualizations.
Result<void> describe_store(const LibraryEntry& entry, const Library& library, const StoreText& text);

// Removes the manifest first, so that the folder ceases to be a visualization, then its other files and the folders
// left empty. Keeps and returns files that do not belong to the store, and stripes from which another visualization
// also plays (store_owner.h). A program that has the store open can continue to read it.
Result<std::vector<std::filesystem::path>> delete_store(const LibraryEntry& entry, const Library& library);

}  // namespace lw
