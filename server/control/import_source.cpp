#include "server/control/import_source.h"

#include "common/store/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr const char* pattern_letters = "%*?[\\";

std::string names_of_directories(const std::vector<fs::path>& directories) {
  std::vector<std::string> names;
  for (const auto& directory : directories) names.push_back(directory.string());
  return fmt::format("{}", fmt::join(names, ", "));
}

// Both without links and dots.
bool is_below(const fs::path& path, const fs::path& directory) {
  const auto end = std::ranges::mismatch(directory, path).in1;
  return end == directory.end() || (std::next(end) == directory.end() && end->empty());
}

bool is_store_in(const fs::path& real, const std::vector<fs::path>& directories) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(real / manifest_file_name, error))) return false;
  return std::ranges::any_of(directories, [&](const fs::path& directory) {
    std::error_code missing;
    const auto top = fs::canonical(directory, missing);
    return !missing && real.parent_path() == top;
  });
}

}  // namespace

Result<std::string> import_source(const std::string& input, const std::vector<fs::path>& directories,
                                  const std::vector<fs::path>& stores) {
  const auto allowed = "use a file or folder on the server's host, below " + names_of_directories(directories);
  if (input.find('\0') != std::string::npos) return Error{"the input's name has a zero byte", allowed};
  const fs::path path(input);
  if (!path.is_absolute()) return Error{input + " is not an absolute path", allowed};
  std::error_code error;
  const bool exists = fs::exists(path, error);
  const auto name = path.filename().string();
  const bool is_pattern = !exists && name.find_first_of(pattern_letters) != std::string::npos;
  const auto real = fs::canonical(is_pattern ? path.parent_path() : path, error);
  if (error) return Error{fmt::format("cannot open {}: {}", input, error.message()), allowed};
  const bool below = std::ranges::any_of(directories, [&](const fs::path& directory) {
    std::error_code missing;
    const auto top = fs::canonical(directory, missing);
    return !missing && is_below(real, top);
  });
  if (!below && (is_pattern || !is_store_in(real, stores)))
    return Error{fmt::format("{} is not below a directory from which this server imports", input), allowed};
  if (is_pattern && real.string().find_first_of(pattern_letters) != std::string::npos)
    return Error{fmt::format("{}: a folder's name contains one of %*?[\\", input), "rename the folder"};
  if (is_pattern) return Result<std::string>(boost::system::in_place_value, (real / name).string());
  if (!fs::is_regular_file(real, error) && !fs::is_directory(real, error))
    return Error{input + " is neither a file nor a folder", allowed};
  return Result<std::string>(boost::system::in_place_value, real.string());
}

}  // namespace lw
