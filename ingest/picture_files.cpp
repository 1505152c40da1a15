#include "ingest/picture_files.h"

extern "C" {
#include <libavformat/avformat.h>
}

#include <glob.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <compare>
#include <string_view>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Removes the digits at the front of `text` and returns them without leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto end =
      std::min(text.size(), static_cast<std::size_t>(std::ranges::find_if_not(text, digit) - text.begin()));
  auto number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

void sort_naturally(std::vector<fs::path>& files) {
  std::ranges::sort(files, [](const fs::path& a, const fs::path& b) { return natural_less(a.string(), b.string()); });
}

}  // namespace

bool is_picture(const fs::path& file) {
  static constexpr std::array<std::string_view, 13> extensions{".png", ".jpg", ".jpeg", ".tif", ".tiff", ".exr", ".dpx",
                                                               ".ppm", ".pgm", ".bmp",  ".tga", ".webp", ".hdr"};
  auto extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(extensions, extension) != extensions.end();
}

bool natural_less(const std::string& a, const std::string& b) {
  std::string_view x = a;
  std::string_view y = b;
  while (!x.empty() && !y.empty()) {
    if (digit(x.front()) && digit(y.front())) {
      const auto m = take_number(x);
      const auto n = take_number(y);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (x.front() != y.front()) return x.front() < y.front();
      x.remove_prefix(1);
      y.remove_prefix(1);
    }
  }
  if (x.empty() != y.empty()) return x.empty();
  return a < b;  // "1" and "01": any order, but always the same
}

Result<std::vector<fs::path>> pictures_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file() && is_picture(entry->path()) && !entry->path().filename().string().starts_with('.'))
      files.push_back(entry->path());
  if (error)
    return Error{"cannot read the folder " + folder.string() + ": " + error.message(), "check its permissions"};
  if (files.empty())
    return Error{"the folder " + folder.string() + " has no images",
                 "use a folder with PNG, JPEG, TIFF, EXR, DPX or PPM files"};
  sort_naturally(files);
  return files;
}

Result<std::string> numbered_picture(const std::string& pattern, unsigned number) {
  std::array<char, 4096> name{};
  if (av_get_frame_filename(name.data(), name.size(), pattern.c_str(), static_cast<int>(number)) < 0)
    return Error{"'" + pattern + "' is not a numbered pattern", "write one like shot-%05d.png"};
  return Result<std::string>(boost::system::in_place_value, name.data());
}

Result<std::vector<fs::path>> numbered_pictures(const std::string& pattern) {
  std::vector<fs::path> files;
  std::error_code error;
  for (unsigned number = 0;; ++number) {
    auto file = numbered_picture(pattern, number);
    if (!file) return file.error();
    if (fs::exists(*file, error))
      files.emplace_back(std::move(*file));
    else if (!files.empty() || number > first_number_max)
      break;
  }
  if (files.empty()) return Error{"no file matches " + pattern, "check the folder and the number of digits"};
  return files;
}

Result<std::vector<fs::path>> matching_pictures(const std::string& pattern) {
  glob_t found{};
  std::vector<fs::path> files;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  std::erase_if(files, [](const fs::path& file) { return !is_picture(file); });
  if (files.empty()) return Error{"no image matches " + pattern, "check the folder and the pattern"};
  sort_naturally(files);
  return files;
}

Result<std::vector<fs::path>> without_links(std::vector<fs::path> files) {
  std::error_code error;
  for (const auto& file : files) {
    if (!fs::is_regular_file(file, error))
      return Error{file.string() + " is not a regular file", "remove it from the sequence"};
    if (!fs::is_symlink(file, error)) continue;
    const auto folder = fs::canonical(file.parent_path().empty() ? fs::path(".") : file.parent_path(), error);
    const auto target = fs::canonical(file, error);
    if (error || target.parent_path() != folder)
      return Error{file.string() + " is a link to " + target.string() + ", outside the named folder",
                   "copy the image there, or follow links with --follow-links"};
  }
  return Result<std::vector<fs::path>>(boost::system::in_place_value, std::move(files));
}

}  // namespace lw
