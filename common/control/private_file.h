// Small files of a program's state folder: whole or not at all, and for their owner only.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

// Replaces the file in one step; mode 0600. `mend`: what to do about one that cannot be written; empty: what the user
// of a program can.
Result<void> write_private_file(const std::filesystem::path& file, std::string_view text, std::string_view mend = {});
// Nothing where there is no such file. Longer than 1 MiB is an error.
Result<std::optional<std::string>> read_private_file(const std::filesystem::path& file);

}  // namespace lw
