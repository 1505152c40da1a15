// Files that are on the disk when they are said to be, and what to tell a person when a disk refuses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"

namespace lw::disk {

// A small file, on the disk when this returns. A link of that name is not followed. An errno, or 0, as from all of
// these.
int write_file(const std::filesystem::path& file, std::string_view text);
int sync_file(const std::filesystem::path& file);
// A rename or a new file is on the disk only when its folder is.
int sync_folder(const std::filesystem::path& folder);

// "12.3 GB": decimal, as disks are sold.
std::string size_text(std::uint64_t bytes);
std::uint64_t free_bytes(const std::filesystem::path& folder);

// What will be written where. Folders on the same disk add up.
struct Demand {
  std::filesystem::path folder;
  std::uint64_t bytes = 0;
};
Result<void> check_space(const std::vector<Demand>& demands);

}  // namespace lw::disk
