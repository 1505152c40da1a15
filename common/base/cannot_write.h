// The error for a file that cannot be written, from errno: call it before anything else changes errno.
#pragma once

#include "common/base/result.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

namespace lw {

inline Error cannot_write(const std::filesystem::path& file,
                          const std::string& mend = "make room, or name another directory") {
  return {fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)), mend};
}

}  // namespace lw
