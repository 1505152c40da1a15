#include "ingest/publish.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "common/store/manifest.h"
#include "common/store/sound_file.h"
#include "common/store/stripe_mark.h"
#include "ingest/disk.h"

namespace lw {
namespace {

namespace fs = std::filesystem;

bool is_stripe_file(const std::string& name) { return name.starts_with("tile-") && name.ends_with(".npy"); }

fs::path set_aside(const fs::path& folder) {
  return folder.parent_path() / ("." + folder.filename().string() + ".old");
}

std::error_code sync(const fs::path& folder) { return {disk::sync_folder(folder), std::generic_category()}; }

// The stripe directories on other disks that a store has and its successor does not.
std::vector<fs::path> stale_stripes(const fs::path& store, const std::vector<Publication>& successors) {
  const auto manifest = load_manifest(store);
  if (!manifest) return {};
  std::vector<fs::path> stale;
  for (const auto& stripe : manifest->stripes) {
    const bool again = std::ranges::any_of(successors, [&](const Publication& p) { return p.to == stripe; });
    if (stripe.is_absolute() && stripe.filename() == store.filename() && !again && can_replace(stripe))
      stale.push_back(stripe);
  }
  return stale;
}

}  // namespace

Result<void> can_replace(const fs::path& folder) {
  const Error foreign{folder.string() + " contains files that do not belong to a visualization",
                      "choose another name with --name"};
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder, error))) return foreign;
  std::vector<std::string> known{
      std::string(manifest_file_name), std::string(stripe_mark_name), "checksums.npy", "poster.jpg", "thumbnails.jpg",
      std::string(sound_file_name)};
  if (const auto manifest = load_manifest(folder)) {
    known.insert(known.end(), {manifest->checksums, manifest->poster, manifest->thumbnails});
    if (manifest->audio) known.push_back(manifest->audio->file);
  }
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (!entry->is_regular_file() || (!is_stripe_file(name) && std::ranges::find(known, name) == known.end()))
      return foreign;
  }
  if (error) return Error{"cannot read " + folder.string() + ": " + error.message(), "check its permissions"};
  return {};
}

Result<void> publish(const std::vector<Publication>& folders, const std::function<void()>& before_last) {
  std::error_code error;
  const auto& store = folders.front();
  const auto old = set_aside(store.to);
  const auto stale = stale_stripes(store.to, folders);
  fs::remove_all(old, error);  // of a run that was interrupted here
  const bool replaces = fs::exists(store.to, error);
  if (replaces) fs::rename(store.to, old, error);
  // On the disk, before its stripes are replaced: after a power cut no manifest may name stripes of another store.
  if (!error && replaces) error = sync(store.to.parent_path());
  if (error)
    return Error{"cannot replace " + store.to.string() + ": " + error.message(), "check the directory's permissions"};

  std::vector<fs::path> done;
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    if (&*folder == &store) before_last();
    error = sync(folder->from);
    if (!error) fs::remove_all(folder->to, error);
    if (!error) fs::rename(folder->from, folder->to, error);
    if (!error) done.push_back(folder->to);
    if (!error) error = sync(folder->to.parent_path());
    if (error) {
      const Error failed{"cannot rename " + folder->from.string() + ": " + error.message(),
                         "check the disk and the directory's permissions"};
      for (const auto& path : done) fs::remove_all(path, error);
      // The old store is complete while its other stripes are.
      if (replaces && done.empty() && folders.size() == 1) fs::rename(old, store.to, error);
      return failed;
    }
  }
  fs::remove_all(old, error);
  for (const auto& path : stale) fs::remove_all(path, error);
  return {};
}

}  // namespace lw
