#include "server/read/open_store.h"

#include "common/store/store_digest.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lw {

namespace {

// Some filesystems accept the flag and then refuse to read. Only the owner may ask for reads that do not note when the
// file was read last.
bool read_directly(int file) {
  const int flags = ::fcntl(file, F_GETFL);
  if (flags < 0 ||
      (::fcntl(file, F_SETFL, flags | O_DIRECT | O_NOATIME) != 0 && ::fcntl(file, F_SETFL, flags | O_DIRECT) != 0))
    return false;
  alignas(store_alignment) std::array<std::byte, store_alignment> head;
  if (::pread(file, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size())) return true;
  ::fcntl(file, F_SETFL, flags);
  return false;
}

}  // namespace

Result<std::shared_ptr<const OpenStore>> OpenStore::open(const std::filesystem::path& folder) {
  auto files = open_store_files(folder);
  if (!files) return files.error();
  return of(std::move(*files));
}

std::shared_ptr<const OpenStore> OpenStore::of(StoreFiles files) {
  std::shared_ptr<OpenStore> store(new OpenStore);
  store->digest_ = store_digest(files.manifest, {files.folder.get(), files.path, ""});
  store->manifest_ = std::move(files.manifest);
  const auto& layout = store->layout_.emplace(store->manifest_);
  const unsigned tiles = store->manifest_.geometry.tile_count();
  store->frame_bytes_max_ = layout.stored_bytes_max();
  store->stripes_ = static_cast<unsigned>(store->manifest_.stripes.size());
  for (auto* list : {&files.files, &files.copies})
    for (std::size_t i = 0; i < list->size(); ++i) {
      const TileIndex tile{static_cast<unsigned>(i % tiles)};
      store->add((*list)[i], layout.stored_bytes(tile));
    }
  for (auto& stripe : files.stripes) store->directories_.push_back(std::move(stripe.path));
  store->missing_ = std::move(files.missing);
  store->sound_ = std::move(files.sound);
  store->path_ = std::move(files.path);
  store->folder_ = std::move(files.folder);
  store->let_play(store->manifest_.frame_count);
  return store;
}

void OpenStore::add(StoreFile& from, std::size_t frame_bytes) {
  File& file = files_.emplace_back();
  file.frame_bytes = frame_bytes;
  file.path = std::move(from.path);
  file.file = std::move(from.file);
  descriptors_.push_back(file.file.get());
  if (!file.file) return;  // nothing will be read: it has no frames, or only a copy is there
  file.stamp = from.stamp;
  file.header_bytes = from.npy.header_bytes;
  file.record_bytes = file.frame_bytes + from.npy.shape.padding;
  const bool aligned = file.header_bytes % store_alignment == 0 && file.record_bytes % store_alignment == 0;
  file.direct = aligned && read_directly(file.file.get());
  if (!file.direct) direct_ = false;
}

// Frame f of tile t is in stripe (f + t) mod D: see common/store/stripe_layout.h.
std::size_t OpenStore::index_of(std::uint32_t frame, TileIndex tile, unsigned copy) const {
  const auto stripe = (frame + tile.value) % stripes_;
  return (std::size_t{copy} * stripes_ + stripe) * manifest_.geometry.tile_count() + tile.value;
}

FrameExtent OpenStore::locate(std::uint32_t frame, TileIndex tile, unsigned copy) const {
  const auto index = index_of(frame, tile, copy);
  const File& from = files_[index];
  const std::size_t asked =
      from.direct ? (from.frame_bytes + store_alignment - 1) / store_alignment * store_alignment : from.frame_bytes;
  FrameExtent extent;
  extent.fd = from.file.get();
  extent.stamp = manifest_.growing ? nullptr : &from.stamp;
  extent.file = static_cast<unsigned>(index);
  extent.stripe = (frame + tile.value + copy) % stripes_;
  extent.offset = from.header_bytes + std::uint64_t{frame / stripes_} * from.record_bytes;
  extent.bytes = asked;
  extent.needed = from.frame_bytes;
  return extent;
}

bool OpenStore::is_unchanged() const {
  const auto is_same = [](const File& file) { return !file.file || stamp_of(file.file.get()) == file.stamp; };
  return manifest_.growing || std::ranges::all_of(files_, is_same);
}

// The last frames of each stripe say so for all.
bool OpenStore::is_long_enough(std::uint32_t frames) const {
  const auto has = [this](std::uint32_t frame, TileIndex tile, unsigned copy) {
    const auto extent = locate(frame, tile, copy);
    const auto stamp = extent.exists() ? stamp_of(extent.fd) : std::nullopt;
    return !extent.exists() || (stamp && stamp->bytes >= extent.offset + extent.needed);
  };
  for (auto frame = frames - std::min(frames, stripes_); frame < frames; ++frame)
    for (TileIndex tile; tile.value < manifest_.geometry.tile_count(); ++tile.value)
      for (unsigned copy = 0; copy < copies(); ++copy)
        if (!has(frame, tile, copy)) return false;
  return true;
}

const std::filesystem::path& OpenStore::file_of(std::uint32_t frame, TileIndex tile) const {
  return files_[index_of(frame, tile, 0)].path;
}

}  // namespace lw
