#include "server/play/store_edit.h"

#include "common/store/stripe_layout.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t tags_max = 64;
constexpr const char* look_at_disk = "check the permissions of the server's user there, and that the disk is writable";

Result<void> check(const StoreText& text) {
  if (text.title && text.title->find_first_not_of(" \t\n") == std::string::npos)
    return Error{"a title must not be empty", "give it a name that operators know it by"};
  if (!text.tags) return {};
  if (text.tags->size() > tags_max)
    return Error{fmt::format("{} tags are too many", text.tags->size()), fmt::format("give at most {}", tags_max)};
  if (std::ranges::any_of(*text.tags, &std::string::empty)) return Error{"a tag must not be empty", "leave it out"};
  return {};
}

// On the disk when it returns.
int write_whole(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) return errno != 0 ? errno : EIO;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = fd < 0 || fsync(fd) != 0 ? errno : 0;
  if (fd >= 0) close(fd);
  return error;
}

std::vector<fs::path> files_of(const LibraryEntry& entry) {
  const auto& m = entry.manifest;
  std::vector<fs::path> files;
  for (unsigned stripe = 0; stripe < m.stripes.size(); ++stripe)
    for (unsigned tile = 0; tile < m.geometry.columns * m.geometry.rows; ++tile)
      files.push_back(stripe_file(entry.folder, m, stripe, {tile % m.geometry.columns, tile / m.geometry.columns}));
  for (const auto* name : {&m.checksums, &m.poster, &m.thumbnails})
    if (!name->empty()) files.push_back(entry.folder / *name);
  return files;
}

// The stripes' before the visualization's own.
std::vector<fs::path> folders_of(const LibraryEntry& entry) {
  std::vector<fs::path> folders;
  for (const auto& file : files_of(entry))
    if (std::ranges::find(folders, file.parent_path()) == folders.end()) folders.push_back(file.parent_path());
  std::error_code error;
  std::erase_if(folders, [&](const fs::path& folder) { return fs::equivalent(folder, entry.folder, error); });
  folders.push_back(entry.folder);
  return folders;
}

}  // namespace

Result<void> describe_store(const LibraryEntry& entry, const StoreText& text) {
  if (auto checked = check(text); !checked) return checked;
  const auto file = entry.folder / manifest_file_name;
  auto manifest = load_store(entry.folder);
  if (!manifest) return manifest.error();
  manifest->title = text.title.value_or(manifest->title);
  manifest->description = text.description.value_or(manifest->description);
  manifest->tags = text.tags.value_or(manifest->tags);
  const auto beside = entry.folder / fmt::format(".{}.new", manifest_file_name);
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  errno = 0;
  if (const int failed = write_whole(beside, to_json_text(*manifest)); failed != 0) {
    fs::remove(beside, error);
    return Error{"cannot write in " + entry.folder.string() + ": " + std::strerror(failed), look_at_disk};
  }
  if (!error) fs::last_write_time(beside, time, error);
  fs::rename(beside, file, error);
  if (error) return Error{"cannot replace " + file.string() + ": " + error.message(), look_at_disk};
  return {};
}

Result<std::vector<fs::path>> delete_store(const LibraryEntry& entry) {
  std::error_code error;
  fs::remove(entry.folder / manifest_file_name, error);
  if (error) return Error{"cannot delete " + entry.folder.string() + ": " + error.message(), look_at_disk};
  std::vector<fs::path> left;
  for (const auto& file : files_of(entry)) {
    fs::remove(file, error);
    if (error) left.push_back(file);
  }
  for (const auto& folder : folders_of(entry)) {
    fs::remove(folder, error);
    for (const auto& file : fs::directory_iterator(folder, error))
      if (std::ranges::find(left, file.path()) == left.end()) left.push_back(file.path());
  }
  return left;
}

}  // namespace lw
