#include "common/store/store_files.h"

#include "common/store/growing.h"
#include "common/store/stripe_layout.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <span>
#include <system_error>
#include <thread>
#include <tuple>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr const char* mount_disk = "check that its disk is mounted and readable, or ingest again";
constexpr const char* complete_it = "ingest the visualization again, or correct the file (docs/frame-store.md)";
constexpr const char* again_later = "wait until it is written, then load it again";
constexpr std::chrono::milliseconds settling_step{1};
constexpr int settling_steps = 50;

// File times come from the kernel's coarse clock. A write in the same tick as the check would not change the time, so
// waits for the tick to end. A time far ahead is not from this clock.
bool is_of_this_tick(const FileStamp& stamp) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return std::tie(stamp.seconds, stamp.nanoseconds) >=
             std::tuple<std::int64_t, std::uint32_t>(now.tv_sec, now.tv_nsec) &&
         stamp.seconds <= now.tv_sec + 1;
}

void let_settle(std::span<const StoreFile> files) {
  for (int step = 0; step < settling_steps; ++step) {
    if (std::ranges::none_of(files, [](const StoreFile& f) { return f.file && is_of_this_tick(f.stamp); })) return;
    std::this_thread::sleep_for(settling_step);
  }
}

// A store that grows gets its headers at the end. They will be those of the layout.
Result<void> check_growing_stripe(StoreFile& file, const std::optional<FileStamp>& stamp, const StripeLayout& layout,
                                  TileIndex tile, std::uint64_t records) {
  const auto stored = layout.stored_bytes(tile);
  const auto record = layout.record_bytes(tile);
  const auto needed = records == 0 ? 0 : layout.header_bytes() + (records - 1) * record + stored;
  if (!stamp || stamp->bytes < needed)
    return Error{fmt::format("{} lacks frames that {} names", file.path.string(), growing_file_name),
                 "run the import again, which continues it"};
  file.npy = {};
  file.npy.header_bytes = layout.header_bytes();
  file.npy.shape.padding = record - stored;
  file.stamp = *stamp;
  return {};
}

// Checks that the stripe file of a tile has its header, the right shape and its full length.
Result<void> check_stripe(StoreFile& file, const Manifest& m, const StripeLayout& layout, TileIndex tile,
                          std::uint64_t records) {
  const auto name = file.path.string();
  const auto stamp = stamp_of(file.file.get());
  if (m.growing) return check_growing_stripe(file, stamp, layout, tile, records);
  std::array<std::byte, store_alignment> head{};
  const auto got = ::pread(file.file.get(), head.data(), head.size(), 0);
  if (!stamp || got < 0)
    return Error{fmt::format("cannot read {}: {}", name, std::generic_category().message(errno)), mount_disk};
  const std::span start(head.data(), static_cast<std::size_t>(got));
  const auto* const slots = layout.slots(tile);
  const auto npy = slots ? parse_npy_header(start, *slots) : parse_npy_header(start);
  if (!npy) return Error(npy.error()).in(name);
  const auto place = m.geometry.place(tile);
  const auto row_size = row_bytes(m.pixel_format, place.width);
  const auto rows = group_rows(m.pixel_format, place.height);
  if (slots && npy->shape.records < records)
    return Error{fmt::format("{}: {} frames, but the manifest says {}", name, npy->shape.records, records),
                 complete_it};
  if (!slots && (npy->shape.rows != rows || npy->shape.row_bytes != row_size || npy->shape.records < records))
    return Error{fmt::format("{}: {} frames of {} rows of {} bytes, but the manifest says {} of {} of {}", name,
                             npy->shape.records, npy->shape.rows, npy->shape.row_bytes, records, rows, row_size),
                 complete_it};
  const auto stored = layout.stored_bytes(tile);
  const auto needed = npy->header_bytes + (records - 1) * (stored + npy->shape.padding) + stored;
  if (stamp->bytes < needed)
    return Error{fmt::format("{} ends after {} of {} bytes", name, stamp->bytes, needed), complete_it};
  file.npy = *npy;
  file.stamp = *stamp;
  return {};
}

// Checks that the manifest is still the one in the folder, and the folder still has its name: replacing a store removes
// the manifest before the stripes, so the stripes that were opened belong to this manifest.
Result<void> check_still_there(const StoreFiles& store, const struct stat& manifest) {
  struct stat now {};
  struct stat named {};
  struct stat folder {};
  const auto same = [](const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  };
  const bool is_same_manifest =
      store.manifest.growing ||  // which has more frames by now
      (::fstatat(store.folder.get(), std::string(manifest_file_name).c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 &&
       same(now, manifest) && now.st_size == manifest.st_size && now.st_mtim.tv_sec == manifest.st_mtim.tv_sec &&
       now.st_mtim.tv_nsec == manifest.st_mtim.tv_nsec);
  if (is_same_manifest && ::stat(store.path.c_str(), &named) == 0 && ::fstat(store.folder.get(), &folder) == 0 &&
      same(named, folder))
    return {};
  return Error{store.path.string() + " was replaced while it was opened", "load it again"};
}

class Opening {
public:
  Opening(StoreFiles& store, const StripeRoots& roots) : store_(store), roots_(roots) {}

  Result<void> read_manifest() {
    if (!name_of_growing(store_.path.filename().string()).empty()) return read_growing();
    const auto file = in_folder().open_file(manifest_file_name);
    if (!file) return file.error();
    ::fstat(file->get(), &manifest_);
    auto manifest = load_manifest(file->get(), store_.path / manifest_file_name);
    if (!manifest) return manifest.error();
    store_.manifest = std::move(*manifest);
    store_.manifest.name = fs::path(store_.path / "").parent_path().filename().string();
    store_.made = manifest_.st_mtim;
    return check_name();
  }

  // Its manifest is replaced as it grows.
  Result<void> read_growing() {
    auto manifest = load_growing(in_folder());
    if (!manifest) return manifest.error();
    store_.manifest = std::move(*manifest);
    return check_name();
  }

  Result<void> check_name() const {
    // The name appears in every answer and on every screen.
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::ranges::any_of(store_.manifest.name, is_control))
      return Error{"the folder's name has control characters", "rename it with letters, digits and spaces"};
    return {};
  }

  Result<void> open_stripes() {
    for (unsigned stripe = 0; stripe < store_.manifest.stripes.size(); ++stripe) {
      auto folder = open_stripe_folder(in_folder(), store_.manifest, stripe, roots_);
      if (!folder && store_.manifest.copies == 1) return folder.error();
      store_.stripes.push_back(folder ? std::move(*folder)
                                      : StripeFolder{store_.path / store_.manifest.stripes[stripe], {}, false, {}});
      if (!folder) note_missing(stripe, folder.error());
    }
    return {};
  }

  // Opens each file in turn, only to check it or (`keep`) to keep it open.
  Result<void> open_files(bool keep) {
    const auto& m = store_.manifest;
    const StripeLayout layout(m);
    for (unsigned stripe = 0; stripe < m.stripes.size(); ++stripe)
      for (TileIndex tile; tile.value < m.geometry.tile_count(); ++tile.value) {
        auto file = look_at(layout, {0, stripe, tile}, keep);
        auto copy = m.copies > 1 ? look_at(layout, {1, stripe, tile}, keep) : Result<StoreFile>(StoreFile{});
        if (!file && (m.copies == 1 || !copy)) return file.error();
        if (!keep) continue;
        store_.files.push_back(file ? std::move(*file) : StoreFile{path_of(layout, {0, stripe, tile}), {}, {}, {}});
        if (m.copies == 1) continue;
        store_.copies.push_back(copy ? std::move(*copy) : StoreFile{path_of(layout, {1, stripe, tile}), {}, {}, {}});
      }
    return {};
  }

  Result<void> open_sound() {
    if (!store_.manifest.audio) return {};
    auto sound = lw::open_sound(in_folder(), *store_.manifest.audio);
    if (!sound) return sound.error();
    store_.sound = std::move(*sound);
    return {};
  }

  Result<void> check_files() {
    const auto& m = store_.manifest;
    const StripeLayout layout(m);
    const unsigned tiles = m.geometry.tile_count();
    if (!m.growing) let_settle(store_.files);
    if (!m.growing) let_settle(store_.copies);
    for (std::size_t i = 0; i < store_.files.size(); ++i) {
      const auto stripe = static_cast<unsigned>(i / tiles);
      const TileIndex tile{static_cast<unsigned>(i % tiles)};
      auto checked = check(store_.files[i], layout, {0, stripe, tile});
      if (m.copies == 1 && !checked) return checked;
      if (m.copies == 1) continue;
      const auto copy = check(store_.copies[i], layout, {1, stripe, tile});
      if (!checked && (!copy || !store_.copies[i].file)) return checked;
      if (!copy && !store_.files[i].file) return copy;
    }
    for (const auto* files : {&store_.files, &store_.copies})
      for (const auto& file : *files)
        if (file.file && !m.growing && is_of_this_tick(file.stamp))
          return Error{file.path.string() + " is being written", again_later};
    return check_still_there(store_, manifest_);
  }

private:
  struct Place {
    unsigned copy = 0;
    unsigned stripe = 0;
    TileIndex tile;
  };

  [[nodiscard]] Beneath in_folder() const { return {store_.folder.get(), store_.path, mount_disk}; }

  [[nodiscard]] fs::path path_of(const StripeLayout& layout, const Place& place) const {
    return store_.stripes[layout.directory_of(place.stripe, place.copy)].path /
           stripe_file_name(store_.manifest, place.tile, place.copy);
  }

  // Opens a file, and checks it if it is not to be kept.
  Result<StoreFile> look_at(const StripeLayout& layout, const Place& place, bool keep) {
    auto file = open_file(layout, place);
    if (!file) note_missing(layout.directory_of(place.stripe, place.copy), file.error());
    if (!file || keep) return file;
    if (const auto checked = check(*file, layout, place); !checked) return checked.error();
    return file;
  }

  [[nodiscard]] Result<StoreFile> open_file(const StripeLayout& layout, const Place& place) const {
    const auto directory = layout.directory_of(place.stripe, place.copy);
    const auto& folder = store_.stripes[directory];
    StoreFile result;
    result.path = path_of(layout, place);
    const bool has_records = store_.manifest.growing || layout.records_in(place.stripe, place.tile) > 0;
    if (!store_.manifest.holds(place.tile) || !has_records) return result;
    if (!folder.folder) return missing_.at(directory);
    auto file = Beneath{folder.folder.get(), folder.path, mount_disk}.open_file(result.path.filename());
    if (!file) return file.error();
    result.file = std::move(*file);
    result.stamp = stamp_of(result.file.get()).value_or(FileStamp{});
    return result;
  }

  // Closes the file if it is not as it should be.
  Result<void> check(StoreFile& file, const StripeLayout& layout, const Place& place) {
    if (!file.file) return {};
    auto checked = check_stripe(file, store_.manifest, layout, place.tile, layout.records_in(place.stripe, place.tile));
    if (checked) return checked;
    note_missing(layout.directory_of(place.stripe, place.copy), checked.error());
    file.file.reset();
    return checked;
  }

  // Keeps the first error of each directory.
  void note_missing(unsigned directory, const Error& error) {
    if (!missing_.emplace(directory, error).second || store_.manifest.copies == 1) return;
    store_.missing.push_back({store_.stripes[directory].path, error});
  }

  StoreFiles& store_;
  const StripeRoots& roots_;
  struct stat manifest_ {};
  std::map<unsigned, Error> missing_;  // of directories, or of the first file in them
};

Result<StoreFiles> open_all(Descriptor folder, const fs::path& path, const StripeRoots& roots,
                            const AcceptManifest& accept, bool keep) {
  StoreFiles store;
  store.path = path;
  store.folder = std::move(folder);
  Opening opening(store, roots);
  if (auto read = opening.read_manifest(); !read) return read.error();
  if (accept)
    if (auto accepted = accept(store.manifest); !accepted) return accepted.error();
  if (auto opened = opening.open_stripes(); !opened) return opened.error();
  if (auto opened = opening.open_files(keep); !opened) return opened.error();
  if (auto opened = opening.open_sound(); !opened) return opened.error();
  if (keep)
    if (auto checked = opening.check_files(); !checked) return checked.error();
  return store;
}

}  // namespace

std::optional<FileStamp> stamp_of(int file) {
  struct statx status {};
  if (::statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_SIZE | STATX_MTIME, &status) != 0)
    return std::nullopt;
  return FileStamp{status.stx_size, status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec};
}

Result<StoreFiles> open_store_files(Descriptor folder, const fs::path& path, const StripeRoots& roots,
                                    const AcceptManifest& accept) {
  return open_all(std::move(folder), path, roots, accept, true);
}

Result<StoreFiles> open_store_files(const fs::path& folder) {
  auto open = open_folder(folder, "give the folder of a visualization");
  if (!open) return open.error();
  return open_store_files(std::move(*open), folder);
}

Result<StoreFiles> check_store_files(Descriptor folder, const fs::path& path, const StripeRoots& roots) {
  return open_all(std::move(folder), path, roots, {}, false);
}

Result<Manifest> load_store(const fs::path& folder) {
  auto open = open_folder(folder, "give the folder of a visualization");
  if (!open) return open.error();
  auto store = check_store_files(std::move(*open), folder);
  if (!store) return store.error();
  return std::move(store->manifest);
}

}  // namespace lw
