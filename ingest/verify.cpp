#include "ingest/verify.h"

#include "common/base/print.h"
#include "common/store/checksum.h"
#include "common/store/sound_file.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"
#include "ingest/progress.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>
#include <vector>

namespace lw {
namespace {

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

std::vector<std::filesystem::path> directories_of(const std::filesystem::path& folder, const Manifest& manifest) {
  std::vector<std::filesystem::path> directories;
  for (const auto& stripe : manifest.stripes) {
    const auto path = std::filesystem::absolute(folder / stripe).lexically_normal();
    directories.push_back((path.has_filename() ? path : path.parent_path()).parent_path());
  }
  return directories;
}

// `file`: which of the frame's copies it is about; null if the store has no copies.
void report(bool json, std::uint32_t frame, GridCell tile, const char* what, const std::filesystem::path* file) {
  if (json) {
    nlohmann::ordered_json event{{"event", what}, {"frame", frame}, {"column", tile.column}, {"row", tile.row}};
    if (file != nullptr) event["file"] = file->string();
    print_out("{}\n", event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    print_error("wall-ingest: frame {} of tile {},{} is {}{}", frame, tile.column, tile.row, what,
                file != nullptr ? " in " + file->string() : "");
  }
}

// Whether the sound is what the import wrote; of a store without a checksum of it, whether it can be read.
Result<bool> is_sound_good(const StoreFiles& store, const std::atomic<bool>& stop) {
  if (!store.sound) return true;
  const auto& sound = *store.sound;
  RunningChecksum sum;
  std::vector<std::byte> buffer(std::size_t{1} << 20U);
  auto left = sound.samples * sound_frame_bytes(sound.channels);
  for (auto offset = std::uint64_t{sound.header_bytes}; left > 0 && !stop;) {
    const auto part = std::span(buffer).first(std::min<std::size_t>(buffer.size(), left));
    if (!read_whole(sound.file.get(), offset, part))
      return Error{"cannot read " + sound.path.string(), "check that its disk is mounted and readable"};
    sum.add(part);
    offset += part.size();
    left -= part.size();
  }
  const auto& checksum = store.manifest.audio->checksum;
  return stop || checksum.empty() || checksum == fmt::format("{:016x}", sum.value());
}

void report_sound(bool json, const std::filesystem::path& file) {
  if (!json) return print_error("wall-ingest: the sound is damaged: {}", file.string());
  const nlohmann::ordered_json event{{"event", "damaged"}, {"file", file.string()}};
  print_out("{}\n", event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace

Result<Verification> verify(const std::filesystem::path& folder, bool json, const std::atomic<bool>& stop,
                            const WriteRate& rate) {
  const auto store = open_store_files(folder);
  if (!store) return store.error();
  const auto* manifest = &store->manifest;
  if (manifest->checksums.empty())
    return Error{folder.string() + " has no checksums", "import it again to create them"};
  const auto table = load_checksums({store->folder.get(), folder, "import it again"}, manifest->checksums);
  if (!table) return table.error();
  const unsigned tiles = manifest->geometry.tile_count();
  if (table->frames != manifest->frame_count || table->tiles != tiles)
    return Error{fmt::format("{} has checksums of {} frames of {} tiles, not {} of {}", folder.string(), table->frames,
                             table->tiles, manifest->frame_count, tiles),
                 "import it again"};

  const StripeLayout layout(*manifest);
  RightOfWay way(directories_of(folder, *manifest), rate, stop, RightOfWay::real(teller(json)));
  Verification result;
  Progress progress("verify " + manifest->name, std::uint64_t{manifest->frame_count}, 0, json);
  std::vector<std::byte> buffer(layout.stored_bytes_max());
  for (std::uint32_t frame = 0; frame < manifest->frame_count; ++frame) {
    if (stop) {
      result.interrupted = true;
      return result;
    }
    for (unsigned i = 0; i < tiles * manifest->copies; ++i) {
      const TileIndex tile{i / manifest->copies};
      if (!manifest->holds(tile)) continue;
      const auto stored = std::span(buffer).first(layout.stored_bytes(tile));
      const auto pixels = stored.first(layout.frame_bytes(tile));
      const auto where = layout.locate(frame, tile);
      const auto& files = i % manifest->copies == 0 ? store->files : store->copies;
      const auto& file = files[std::size_t{where.stripe} * tiles + tile.value];
      const auto record_bytes = stored.size() + file.npy.shape.padding;
      way.before(stored.size());
      const auto begun = way.now();
      const bool read = read_whole(file.file.get(), file.npy.header_bytes + where.record * record_bytes, stored);
      way.after(stored.size(), way.now() - begun);
      if (layout.slots()) layout.slots()->close_up(stored.data());
      ++result.frames;
      result.bytes += pixels.size();
      if (read && checksum(pixels) == table->at(frame, tile.value)) continue;
      ++result.damaged;
      report(json, frame, manifest->geometry.cell(tile), read ? "damaged" : "unreadable",
             manifest->copies > 1 ? &file.path : nullptr);
    }
    progress.update(frame + 1, result.bytes, way.limit());
  }
  const auto good = is_sound_good(*store, stop);
  if (!good) return good.error();
  result.interrupted = stop;
  if (*good) return result;
  ++result.damaged;
  report_sound(json, store->sound->path);
  return result;
}

}  // namespace lw
