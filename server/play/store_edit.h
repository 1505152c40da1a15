// Changes of a visualization on disk that an operator asks for: what it is called, and that it goes. Its frames are
// never written. Called by the control thread only.
#pragma once

#include "common/base/result.h"
#include "server/play/library.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// What is to be changed.
struct StoreText {
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::vector<std::string>> tags;
};

// Writes the manifest anew beside the old one and renames it: at each moment one of the two is there, complete. Keeps
// the time of the file, by which people find what they made last.
Result<void> describe_store(const LibraryEntry& entry, const Library& library, const StoreText& text);

// Removes the manifest, with which it ceases to be a visualization, then its other files and the folders that are empty
// then. Files that do not belong to the store stay, as do stripes that another visualization also plays from
// (store_owner.h); they are returned. A program that has the store open may go on reading.
Result<std::vector<std::filesystem::path>> delete_store(const LibraryEntry& entry, const Library& library);

}  // namespace lw
