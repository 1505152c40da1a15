// Small files of a program's state folder: written completely or not at all, and readable by their owner only.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

// Replaces the file in one step; it is on the disk when this returns; mode 0600. `mend`: how to fix a failed write;
// empty: what the user of a program can do.
Result<void> write_private_file(const std::filesystem::path& file, std::string_view text, std::string_view mend = {});
// Empty if the file does not exist. More than 1 MiB is an error.
Result<std::optional<std::string>> read_private_file(const std::filesystem::path& file);
// Reads the file (empty if missing) and writes the result of `change`; keeps the file if that is empty or an error. No
// other caller of this function can change it in between (FileLock). Readers need no lock.
using FileChange = std::function<Result<std::optional<std::string>>(const std::optional<std::string>& before)>;
Result<void> change_private_file(const std::filesystem::path& file, const FileChange& change);

}  // namespace lw
