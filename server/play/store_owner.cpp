#include "server/play/store_owner.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr const char* by_hand = "remove it by hand if it should be deleted";

using FileId = std::pair<dev_t, ino_t>;

FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }
std::optional<FileId> id_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(id_of(status)) : std::nullopt;
}
std::optional<FileId> id_of(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 ? std::optional(id_of(status)) : std::nullopt;
}

// The stripe folders named in other manifests in the content directories.
struct Others {
  std::vector<std::pair<fs::path, FileId>> stripes;  // the store and the folder
  std::optional<Error> unread;                       // a directory or manifest that may name others
};

void take_store(const fs::path& folder, FileId self, Others& others) {
  if (id_of(folder) == self) return;
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder / manifest_file_name, error))) return;
  const auto manifest = load_manifest(folder);
  if (!manifest) {
    others.unread = manifest.error();
    return;
  }
  for (const auto& stripe : manifest->stripes)
    if (const auto id = id_of(folder / stripe)) others.stripes.emplace_back(folder, *id);
}

Others find_others(const Library& library, FileId self) {
  Others others;
  for (const auto& directory : library.directories()) {
    std::error_code error;
    fs::directory_iterator item(directory, error);
    for (; !error && item != fs::directory_iterator(); item.increment(error)) take_store(item->path(), self, others);
    if (error) others.unread = Error{"cannot read " + directory.string() + ": " + error.message(), ""};
  }
  for (const auto& missing : library.missing()) others.unread = missing.error;
  return others;
}

// Call if the store has an id and the folder a mark.
Result<void> check_home(const StoreFiles& store, const StripeFolder& stripe, FileId self) {
  const auto& home = stripe.mark->home;
  if (id_of(home) == self) return {};
  const auto there = load_manifest(home);
  if (!there || there->id != store.manifest.id) return {};
  return Error{fmt::format("{} is a copy of {}, which has the stripes in {}", store.path.string(), home.string(),
                           stripe.path.string()),
               by_hand};
}

Result<void> prove(const StoreFiles& store, const StripeFolder& stripe, FileId self, const Others& others) {
  if (!store.manifest.id.empty() && !stripe.mark)
    return Error{
        fmt::format("{} has no {} that identifies the owner of its stripes", stripe.path.string(), stripe_mark_name),
        by_hand};
  if (!store.manifest.id.empty()) return check_home(store, stripe, self);
  if (stripe.mark)
    return Error{
        fmt::format("{} has a {} that names another store as the owner", stripe.path.string(), stripe_mark_name),
        by_hand};
  if (others.unread)
    return Error{fmt::format("cannot find out whether another visualization also plays from {}: {}",
                             stripe.path.string(), others.unread->what),
                 "fix that first, or remove it by hand"};
  return {};
}

}  // namespace

Result<StripeOwnership> find_owned_stripes(const StoreFiles& store, const Library& library) {
  StripeOwnership result;
  const auto self = id_of(store.folder.get());
  if (!self) return Error{"cannot access " + store.path.string(), "ask for the list again"};
  std::optional<Others> others;
  for (const auto& stripe : store.stripes) {
    const auto id = id_of(stripe.folder.get());
    if (stripe.inside || id == self) {
      result.owned.push_back(true);
      continue;
    }
    if (!others) others = find_others(library, *self);
    const bool shared = std::ranges::any_of(others->stripes, [&](const auto& other) { return other.second == id; });
    if (shared)
      result.shared.push_back(stripe.path);
    else if (auto proven = prove(store, stripe, *self, *others); !proven)
      return Error(proven.error()).in(store.manifest.name + " is not deleted");
    result.owned.push_back(!shared);
  }
  return result;
}

}  // namespace lw
