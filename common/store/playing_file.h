// ".lambdawall-playing" in a directory with stores: the servers that play from it, and how much they read. Each server
// holds a lock on its own record, which the kernel releases when the server ends, however that happens; a record counts
// only while it is locked. Programs check it before they write there. docs/frame-store.md describes the format.
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
  bool complete = true;  // false: a server's record cannot be read, so its share is missing
};

// The record of this process, padded to playing_record_bytes. The parser is pure.
std::string playing_record(std::uint64_t bytes_per_second);
std::optional<std::uint64_t> parse_playing_record(std::string_view record);

// Opens the file: a regular file with one name, never through a link, and either empty or with such records. With
// `create`, creates it if it is missing.
Result<int> open_playing_file(const std::filesystem::path& directory, bool create);

// Empty: no server plays from the directory. Takes no lock and writes nothing.
std::optional<Playing> playing_from(const std::filesystem::path& directory);

}  // namespace lw
