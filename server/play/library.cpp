#include "server/play/library.h"

#include "common/store/growing.h"
#include "common/store/stripe_layout.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace lw {

namespace {

constexpr const char* comes_back = "check that its disk is mounted and readable; the server notices when it is back";
constexpr const char* list_again = "ask for the list again";

}  // namespace

// Empty if the directory cannot be accessed. Asks no other host.
std::optional<Library::DirectoryStamp> Library::stamp_of(const std::filesystem::path& directory) {
  struct statx status {};
  if (::statx(AT_FDCWD, directory.c_str(), AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_MTIME, &status) !=
          0 ||
      !S_ISDIR(status.stx_mode) || ::access(directory.c_str(), R_OK | X_OK) != 0)
    return std::nullopt;
  return DirectoryStamp{makedev(status.stx_dev_major, status.stx_dev_minor), status.stx_mtime.tv_sec,
                        status.stx_mtime.tv_nsec};
}

void Library::scan() {
  ++scans_;
  const auto before = std::exchange(entries_, {});
  const auto missing_before = std::exchange(missing_, {});
  rejected_.clear();
  imports_.clear();
  for (const auto& directory : directories_) {
    std::vector<std::string> had;
    for (const auto& known : missing_before)
      if (known.directory == directory) had = known.names;
    for (const auto& entry : before)
      if (entry.folder == directory / entry.manifest.name) had.push_back(entry.manifest.name);
    if (const auto read = scan(directory, had); !read) missing_.push_back({directory, read.error(), std::move(had)});
  }
  for (auto& missing : missing_)
    std::erase_if(missing.names, [this](const auto& name) { return find(name) != nullptr; });
  std::ranges::sort(entries_, {}, [](const LibraryEntry& entry) -> const std::string& { return entry.manifest.name; });
}

// If reading a directory fails, keeps what was found so far.
Result<void> Library::scan(const std::filesystem::path& directory, const std::vector<std::string>& had) {
  const auto stamp = stamps_[directory] = stamp_of(directory);
  const auto folder = lw::open_folder(directory, comes_back);
  if (!folder) return folder.error();
  const auto found_before = entries_.size();
  std::error_code error;
  std::filesystem::directory_iterator item(directory, error);
  std::vector<std::string> growing;
  for (; !error && item != std::filesystem::directory_iterator(); item.increment(error)) {
    auto name = item->path().filename().string();
    take(directory, folder->get(), name);
    if (!name_of_growing(name).empty()) growing.push_back(std::move(name));
  }
  for (const auto& name : growing) take_growing(directory, folder->get(), name);
  if (error) return Error{"cannot read " + directory.string() + ": " + error.message(), comes_back};
  if (!stamp) return {};
  const auto home = home_devices_.find(directory);
  // If a disk is not mounted, its mount point is an empty folder on another disk.
  if (entries_.size() == found_before && !had.empty() && home != home_devices_.end() && home->second != stamp->device)
    return Error{directory.string() + " is empty, and on another disk than before", comes_back};
  if (entries_.size() > found_before) home_devices_[directory] = stamp->device;
  return {};
}

void Library::take(const std::filesystem::path& directory, int folder, const std::string& name) {
  std::error_code error;
  const auto path = directory / name;
  if (name.starts_with('.') ||
      !std::filesystem::exists(std::filesystem::symlink_status(path / manifest_file_name, error)))
    return;
  auto opened =
      Beneath{folder, directory, "copy the folder itself there, or name its directory with --content"}.open_folder(
          name);
  auto store = opened ? check_store_files(std::move(*opened), path, roots_) : Result<StoreFiles>(opened.error());
  if (!store) {
    rejected_.push_back({path, store.error()});
  } else if (find(name) != nullptr) {
    rejected_.push_back({path, Error{"a visualization named " + name + " is already in another content directory",
                                     "rename one of the folders"}});
  } else {
    std::optional<WallTime> made;
    if (store->made) made = WallTime{std::chrono::seconds{store->made->tv_sec} + Nanoseconds{store->made->tv_nsec}};
    entries_.push_back({path, std::move(store->manifest), made});
  }
}

// A store that is being written plays as far as it is, unless it will replace one that can be played.
void Library::take_growing(const std::filesystem::path& directory, int folder, const std::string& name) {
  const auto path = directory / name;
  imports_.push_back(path);
  std::error_code error;
  if (find(name_of_growing(name)) != nullptr || !std::filesystem::exists(path / growing_file_name, error)) return;
  auto opened = Beneath{folder, directory, list_again}.open_folder(name);
  auto store = opened ? check_store_files(std::move(*opened), path, roots_) : Result<StoreFiles>(opened.error());
  if (store)
    entries_.push_back({path, std::move(store->manifest), {}});
  else
    rejected_.push_back({path, store.error()});
}

bool Library::one_begins_to_grow() const {
  return std::ranges::any_of(imports_, [this](const std::filesystem::path& folder) {
    std::error_code error;
    return find(name_of_growing(folder.filename().string())) == nullptr &&
           std::filesystem::exists(folder / growing_file_name, error);
  });
}

bool Library::directories_changed() const {
  return std::ranges::any_of(stamps_, [](const auto& known) { return stamp_of(known.first) != known.second; });
}

bool Library::a_rejected_one_is_fixed() const {
  return std::ranges::any_of(rejected_, [this](const RejectedEntry& rejected) {
    if (find(rejected.folder.filename().string()) != nullptr) return false;  // rejected for its name
    auto folder = open_folder(rejected.folder);
    return folder && check_store_files(std::move(*folder), rejected.folder, roots_);
  });
}

Error Library::no_such(std::string_view name) const {
  const std::string quoted = "'" + std::string(name) + "'";
  for (const auto& missing : missing_)
    if (std::ranges::find(missing.names, name) != missing.names.end())
      return {quoted + " is missing with its content directory: " + missing.error.what, missing.error.mend};
  return {"no visualization " + quoted + " in the library", "list returns their names"};
}

Result<Descriptor> Library::open_folder(const std::filesystem::path& folder) {
  const auto directory = folder.parent_path();
  const auto opened = lw::open_folder(directory, comes_back);
  if (!opened) return opened.error();
  return Beneath{opened->get(), directory, list_again}.open_folder(folder.filename());
}

Result<StoreFiles> Library::open(const LibraryEntry& entry, const AcceptManifest& accept) const {
  return open_at(entry.folder, accept);
}

Result<StoreFiles> Library::open_again(std::string_view name, const AcceptManifest& accept) const {
  if (const auto* entry = find(name); entry != nullptr) return open(*entry, accept);
  const auto rejected =
      std::ranges::find(rejected_, name, [](const RejectedEntry& entry) { return entry.folder.filename().string(); });
  if (rejected == rejected_.end()) return no_such(name);
  return open_at(rejected->folder, accept);
}

Result<StoreFiles> Library::open_at(const std::filesystem::path& folder, const AcceptManifest& accept) const {
  auto opened = open_folder(folder);
  if (!opened) return opened.error();
  return open_store_files(std::move(*opened), folder, roots_, accept);
}

const LibraryEntry* Library::find(std::string_view name) const {
  const auto found = std::ranges::find(
      entries_, name, [](const LibraryEntry& entry) -> std::string_view { return entry.manifest.name; });
  return found == entries_.end() ? nullptr : &*found;
}

BitRate pixel_rate(const Manifest& manifest) {
  return {static_cast<double>(StripeLayout(manifest).frame_bytes_in_all()) * 8 * manifest.frame_rate.hertz()};
}

}  // namespace lw
