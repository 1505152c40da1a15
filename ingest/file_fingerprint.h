// Changes when a file does, without reading it: its name, size and time.
#pragma once

#include <filesystem>
#include <string>

namespace lw {

std::string file_fingerprint(const std::filesystem::path& file);

}  // namespace lw
