// Reads a file from outside completely, if it is not larger than such a file can reasonably be.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace lw {

// `mend`: how to fix a file that cannot be read. Also reads pipes; a folder is an error. (std::ifstream alone would
// throw if the disk fails.)
Result<std::string> read_file(const std::filesystem::path& file, std::size_t bytes_max, const std::string& mend);
// The same for an open file, from its current position; `shown` is its name for people.
Result<std::string> read_open_file(int fd, const std::filesystem::path& shown, std::size_t bytes_max,
                                   const std::string& mend);

}  // namespace lw
