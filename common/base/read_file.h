// A small file as a whole. Not by std::ifstream alone: what reads from its buffer throws when the disk fails.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <string>

namespace lw {

// The error is of what went wrong alone, without a mend: who reads knows what the file is for.
Result<std::string> read_file(const std::filesystem::path& file);
// Nothing where it cannot be read.
std::string text_of(const std::filesystem::path& file);

}  // namespace lw
