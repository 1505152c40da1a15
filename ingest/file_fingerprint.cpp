#include "ingest/file_fingerprint.h"

#include <fmt/format.h>

#include <system_error>

namespace lw {

std::string file_fingerprint(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const auto time = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{}:{}:{}", file.string(), size, time);
}

}  // namespace lw
