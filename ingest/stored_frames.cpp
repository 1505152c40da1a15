#include "ingest/stored_frames.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lw {

bool read_whole(int file, std::uint64_t offset, std::span<std::byte> to) {
  while (!to.empty()) {
    const auto got = ::pread(file, to.data(), to.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

Result<StoredFrames> StoredFrames::open(const std::filesystem::path& folder) {
  auto files = open_store_files(folder);
  if (!files) return files.error();
  StoredFrames store(std::move(*files));
  const auto& m = store.manifest();
  if (m.checksums.empty()) return store;
  auto table = load_checksums({store.files_.folder.get(), folder, "import it again"}, m.checksums);
  if (!table) return table.error();
  const auto tiles = m.geometry.tile_count();
  if (table->frames != m.frame_count || table->tiles != tiles)
    return Error{fmt::format("{} has checksums of {} frames of {} tiles, not {} of {}", folder.string(), table->frames,
                             table->tiles, m.frame_count, tiles),
                 "import it again"};
  store.sums_ = std::move(*table);
  return store;
}

std::vector<std::filesystem::path> StoredFrames::directories() const {
  std::vector<std::filesystem::path> directories;
  for (const auto& stripe : manifest().stripes) {
    const auto path = std::filesystem::absolute(files_.path / stripe).lexically_normal();
    directories.push_back((path.has_filename() ? path : path.parent_path()).parent_path());
  }
  return directories;
}

const StoreFile& StoredFrames::file_of(std::uint32_t frame, TileIndex tile, unsigned copy) const {
  const auto& files = copy == 0 ? files_.files : files_.copies;
  return files[std::size_t{layout_.locate(frame, tile).stripe} * manifest().geometry.tile_count() + tile.value];
}

std::optional<std::span<const std::byte>> StoredFrames::read(std::uint32_t frame, TileIndex tile, unsigned copy,
                                                             std::span<std::byte> buffer) const {
  const auto& file = file_of(frame, tile, copy);
  const auto stored = buffer.first(layout_.stored_bytes(tile));
  const auto record_bytes = stored.size() + file.npy.shape.padding;
  const auto record = layout_.locate(frame, tile).record;
  if (!file.file || !read_whole(file.file.get(), file.npy.header_bytes + record * record_bytes, stored))
    return std::nullopt;
  if (const auto* slots = layout_.slots(tile)) slots->close_up(stored.data());
  return stored.first(layout_.frame_bytes(tile));
}

}  // namespace lw
