#include "server/play/store_edit.h"

#include "common/store/store_text_limits.h"
#include "common/store/stripe_layout.h"
#include "server/play/store_owner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr const char* perhaps_unwritable =
    "check the permissions of the server's user there, and that the disk is writable";

Result<void> check(const StoreText& text) {
  if (text.title && text.title->find_first_not_of(" \t\n") == std::string::npos)
    return Error{"a title must not be empty", "give it a title by which operators know it"};
  if (!text.tags) return {};
  if (text.tags->size() > StoreTextLimits::tags)
    return Error{fmt::format("{} tags are too many", text.tags->size()),
                 fmt::format("give at most {}", StoreTextLimits::tags)};
  if (std::ranges::any_of(*text.tags, [](const std::string& tag) { return tag.size() > StoreTextLimits::tag; }))
    return Error{"a tag is too long", fmt::format("use at most {} bytes", StoreTextLimits::tag)};
  if (std::ranges::any_of(*text.tags, &std::string::empty)) return Error{"a tag must not be empty", "remove it"};
  return {};
}

// Opens it as it is on the disk now.
Result<StoreFiles> look_at(const LibraryEntry& entry, const Library& library) {
  auto folder = Library::open_folder(entry.folder);
  if (!folder) return folder.error();
  auto store = check_store_files(std::move(*folder), entry.folder, library.roots());
  if (!store) return store.error();
  if (!store->missing.empty()) return store->missing.front().error;
  if (!has_same_frames(store->manifest, entry.manifest))
    return Error{entry.manifest.name + " was replaced by another visualization", "ask for the list again"};
  return store;
}

// Removes the folder's own entries, only regular files: the target of a link does not belong to the store.
class Removal {
public:
  explicit Removal(int folder) : folder_(folder) {}
  void remove(const std::string& name) const {
    struct stat status {};
    if (::fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode))
      ::unlinkat(folder_, name.c_str(), 0);
  }

private:
  int folder_;
};

void remove_stripe(const StripeFolder& stripe, const Manifest& manifest) {
  const Removal files(stripe.folder.get());
  for (TileIndex tile; tile.value < manifest.geometry.tile_count(); ++tile.value)
    for (unsigned copy = 0; copy < manifest.copies; ++copy) files.remove(stripe_file_name(manifest, tile, copy));
  files.remove(std::string(stripe_mark_name));
}

void add_once(std::vector<fs::path>& paths, const fs::path& path) {
  if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
}

// Removes the folder if it is empty; else adds its entries to `left`.
void remove_folder(const fs::path& folder, std::vector<fs::path>& left) {
  if (::rmdir(folder.c_str()) == 0) return;
  std::error_code error;
  fs::directory_iterator item(folder, error);
  for (; !error && item != fs::directory_iterator(); item.increment(error)) add_once(left, item->path());
}

}  // namespace

Result<void> describe_store(const LibraryEntry& entry, const Library& library, const StoreText& text) {
  if (auto checked = check(text); !checked) return checked;
  auto store = look_at(entry, library);
  if (!store) return store.error();
  auto& manifest = store->manifest;
  manifest.title = text.title.value_or(manifest.title);
  manifest.description = text.description.value_or(manifest.description);
  manifest.tags = text.tags.value_or(manifest.tags);
  return Beneath{store->folder.get(), entry.folder, perhaps_unwritable}.replace(std::string(manifest_file_name),
                                                                                to_json_text(manifest), store->made);
}

Result<std::vector<fs::path>> delete_store(const LibraryEntry& entry, const Library& library) {
  const auto store = look_at(entry, library);
  if (!store) return store.error();
  auto ownership = find_owned_stripes(*store, library);
  if (!ownership) return ownership.error();
  const auto& m = store->manifest;
  if (::unlinkat(store->folder.get(), std::string(manifest_file_name).c_str(), 0) != 0)
    return Error{"cannot delete " + entry.folder.string() + ": " + std::strerror(errno), perhaps_unwritable};
  for (std::size_t i = 0; i < store->stripes.size(); ++i)
    if (ownership->owned[i]) remove_stripe(store->stripes[i], m);
  const Removal files(store->folder.get());
  for (const auto* name : {&m.checksums, &m.poster, &m.thumbnails})
    if (!name->empty()) files.remove(*name);
  if (m.audio) files.remove(m.audio->file);
  auto left = std::move(ownership->shared);
  // Stripes are removed before the visualization's own folder.
  for (std::size_t i = 0; i < store->stripes.size(); ++i)
    if (ownership->owned[i] && store->stripes[i].path != entry.folder) remove_folder(store->stripes[i].path, left);
  remove_folder(entry.folder, left);
  return left;
}

}  // namespace lw
