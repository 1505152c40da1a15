#include "ingest/verify.h"

#include "common/base/print.h"
#include "common/store/checksum.h"
#include "common/store/sound_file.h"
#include "common/store/store_files.h"
#include "ingest/progress.h"
#include "ingest/stored_frames.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace lw {
namespace {

// `file`: which of the frame's copies it is about; null if the store has no copies.
void report(bool json, std::uint32_t frame, const Tile& tile, const char* what, const std::filesystem::path* file) {
  if (json) {
    nlohmann::ordered_json event{
        {"event", what}, {"frame", frame}, {"column", tile.cell.column}, {"row", tile.cell.row}};
    if (tile.by_name) event["tile"] = tile.name;
    if (file != nullptr) event["file"] = file->string();
    print_out("{}\n", event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    print_error("wall-ingest: frame {} of tile {} is {}{}", frame, tile.number(), what,
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
  const auto store = StoredFrames::open(folder);
  if (!store) return store.error();
  const auto& manifest = store->manifest();
  if (!store->sums()) return Error{folder.string() + " has no checksums", "import it again to create them"};
  const unsigned tiles = manifest.geometry.tile_count();
  RightOfWay way(store->directories(), rate, stop, RightOfWay::real(teller(json)));
  const auto described = tiles_of(manifest.geometry);
  Verification result;
  Progress progress("verify " + manifest.name, std::uint64_t{manifest.frame_count}, 0, json);
  std::vector<std::byte> buffer(store->layout().stored_bytes_max());
  for (std::uint32_t frame = 0; frame < manifest.frame_count; ++frame) {
    if (stop) {
      result.interrupted = true;
      return result;
    }
    for (unsigned i = 0; i < tiles * manifest.copies; ++i) {
      const TileIndex tile{i / manifest.copies};
      const auto copy = i % manifest.copies;
      if (!manifest.holds(tile)) continue;
      const auto stored_bytes = store->layout().stored_bytes(tile);
      way.before(stored_bytes);
      const auto begun = way.now();
      const auto pixels = store->read(frame, tile, copy, buffer);
      way.after(stored_bytes, way.now() - begun);
      ++result.frames;
      result.bytes += store->layout().frame_bytes(tile);
      if (pixels && store->is_good(frame, tile, *pixels)) continue;
      ++result.damaged;
      report(json, frame, described[tile.value], pixels ? "damaged" : "unreadable",
             manifest.copies > 1 ? &store->file_of(frame, tile, copy).path : nullptr);
    }
    progress.update(frame + 1, result.bytes, way.limit());
  }
  const auto good = is_sound_good(store->files(), stop);
  if (!good) return good.error();
  result.interrupted = stop;
  if (*good) return result;
  ++result.damaged;
  report_sound(json, store->files().sound->path);
  return result;
}

}  // namespace lw
