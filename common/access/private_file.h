// Small files of a program's state folder: complete or not at all, and for their owner only.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

// Replaces the file in one step, and is on the disk when it returns; mode 0600. `mend`: what to do about one that
// cannot be written; empty: what the user of a program can.
Result<void> write_private_file(const std::filesystem::path& file, std::string_view text, std::string_view mend = {});
// Empty if the file does not exist. More than 1 MiB is an error.
Result<std::optional<std::string>> read_private_file(const std::filesystem::path& file);
// Reads the file (nothing where there is none), and writes what `change` makes of it, or leaves it as it was: nothing,
// or an error. Nobody else who changes it by this comes between (FileLock). Who only reads needs no lock.
using FileChange = std::function<Result<std::optional<std::string>>(const std::optional<std::string>& before)>;
Result<void> change_private_file(const std::filesystem::path& file, const FileChange& change);

}  // namespace lw
