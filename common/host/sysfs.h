// Reads the small text files of /sys and /proc. Values that cannot be read are absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lw {

// The first line without the line break; empty if the file is missing, unreadable or empty.
std::optional<std::string> read_line(const std::filesystem::path& file);
// A line that consists of one decimal number.
std::optional<std::int64_t> read_number(const std::filesystem::path& file);
// The same, but absent if negative: sysfs writes -1 for "unknown".
std::optional<unsigned> read_index(const std::filesystem::path& file);

}  // namespace lw
