// Writes files durably, and describes the errors of disks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"

namespace lw::disk {

// Writes a small file, which is on the disk when this returns. Does not follow a link of that name. Returns an errno or
// 0, like all of these functions.
int write_file(const std::filesystem::path& file, std::string_view text);
int sync_file(const std::filesystem::path& file);
// A rename or a new file is on the disk only once its folder is.
int sync_folder(const std::filesystem::path& folder);

// "12.3 GB": decimal, as disks are sold.
std::string size_text(std::uint64_t bytes);
std::uint64_t free_bytes(const std::filesystem::path& folder);

// How much will be written to which folder. Folders on the same disk are added up.
struct Demand {
  std::filesystem::path folder;
  std::uint64_t bytes = 0;
};
Result<void> check_space(const std::vector<Demand>& demands);

}  // namespace lw::disk
