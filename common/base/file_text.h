// The whole of a file that somebody else wrote, if it is not larger than such a file can sensibly be.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace lw {

// A Result of a bare string would be in doubt which of its two sides a string is.
struct FileText {
  std::string text;
};

// `mend`: what to do about one that cannot be read. Pipes are read, too; a folder is an error.
Result<FileText> read_file(const std::filesystem::path& file, std::size_t bytes_max, const std::string& mend);

}  // namespace lw
