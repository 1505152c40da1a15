// The whole of a file that somebody else wrote, if it is not larger than such a file can sensibly be.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace lw {

// `mend`: what to do about a file that cannot be read. Also reads pipes; a folder is an error. (Not by std::ifstream
// alone, which throws when the disk fails.)
Result<std::string> read_file(const std::filesystem::path& file, std::size_t bytes_max, const std::string& mend);
// The same of a file that is open, from where it stands; `shown` is what a person knows it by.
Result<std::string> read_open_file(int fd, const std::filesystem::path& shown, std::size_t bytes_max,
                                   const std::string& mend);

}  // namespace lw
