// ".lambdawall-playing" in a directory with stores: which servers play from it, and what they read. Each server holds a
// lock on a record of its own, which the kernel releases when the server ends, however it ends; the text of a record
// counts only while it is locked. Whoever writes there looks at it first. docs/frame-store.md describes the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace lw {

inline constexpr const char* playing_file_name = ".lambdawall-playing";
inline constexpr std::size_t playing_record_bytes = 64;
inline constexpr unsigned playing_records_max = 64;

// What servers read from a directory.
struct Playing {
  unsigned servers = 0;
  std::uint64_t bytes_per_second = 0;
  bool complete = true;  // false: the record of one cannot be read, and its share is missing
};

// Of this process, padded to playing_record_bytes. The reader's is pure.
std::string playing_record(std::uint64_t bytes_per_second);
std::optional<std::uint64_t> parse_playing_record(std::string_view record);

// Opens the file: a regular one of one name, never through a link, and empty or with such records. With `create` it is
// made where it is missing.
Result<int> open_playing_file(const std::filesystem::path& directory, bool create);

// Nothing: no server plays from the directory. Takes no lock, writes nothing.
std::optional<Playing> playing_from(const std::filesystem::path& directory);

}  // namespace lw
