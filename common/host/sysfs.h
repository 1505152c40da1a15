// The small text files of /sys and /proc. What cannot be read is absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lw {

// The first line without the line break; nothing if the file is missing, unreadable or empty.
std::optional<std::string> read_line(const std::filesystem::path& file);
// A line that is one decimal number.
std::optional<std::int64_t> read_number(const std::filesystem::path& file);
// The same, absent where it is negative: sysfs writes -1 for "unknown".
std::optional<unsigned> read_index(const std::filesystem::path& file);

}  // namespace lw
