#include "ingest/store_source.h"

#include <fmt/format.h>
#include "ingest/fit_chain.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "common/base/counted.h"
#include "common/store/store_digest.h"
#include "ingest/caught.h"
#include "ingest/do_each.h"
#include "ingest/file_fingerprint.h"

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t damaged_named_max = 20;  // a broken disk must not fill the screen

std::string digest_of(const StoredFrames& store) {
  return store_digest(store.manifest(), {store.files().folder.get(), store.files().path, "import it again"});
}

// Parts of different editions would make frames that never were.
Result<void> check_same_import(const std::vector<StoredFrames>& parts) {
  for (const auto& part : parts)
    if (parts.size() > 1 && (!part.sums() || digest_of(part) != digest_of(parts.front())))
      return Error{fmt::format("{} is not of the same import as {}", part.files().path.string(),
                               parts.front().files().path.string()),
                   "give the stores of one import, each once"};
  return {};
}

Result<void> check_all_tiles(const std::vector<StoredFrames>& parts) {
  const auto& grid = parts.front().manifest().geometry;
  for (TileIndex tile; tile.value < grid.tile_count(); ++tile.value) {
    if (std::ranges::any_of(parts, [tile](const StoredFrames& part) { return part.manifest().holds(tile); })) continue;
    return Error{fmt::format("{} lacks {}", parts.front().files().path.string(), grid.name(tile)),
                 "add the stores of the other servers after a comma: --from STORE,STORE"};
  }
  return {};
}

}  // namespace

bool is_store(const std::string& input) {
  std::error_code error;
  return fs::is_directory(input, error) && fs::exists(fs::path(input) / manifest_file_name, error);
}

Result<std::unique_ptr<StoreSource>> StoreSource::open(const std::vector<fs::path>& parts, const HostShare& share,
                                                       std::function<void(const std::string&)> note) {
  std::vector<StoredFrames> stores;
  for (const auto& part : parts) {
    auto store = StoredFrames::open(part);
    if (!store) return store.error();
    stores.push_back(std::move(*store));
  }
  if (auto same = check_same_import(stores); !same) return same.error();
  if (auto whole = check_all_tiles(stores); !whole) return whole.error();
  const auto& m = stores.front().manifest();
  if (auto can = StorePicture::can_draw(m.geometry, m.pixel_format); !can)
    return Error(can.error()).in(parts.front().string());
  return std::unique_ptr<StoreSource>(new StoreSource(std::move(stores), share, std::move(note)));
}

StoreSource::StoreSource(std::vector<StoredFrames> parts, const HostShare& share,
                         std::function<void(const std::string&)> note)
    : parts_(std::move(parts)),
      note_(std::move(note)),
      picture_(parts_.front().manifest().geometry, parts_.front().manifest().pixel_format,
               parts_.front().manifest().colour, false) {
  std::size_t bytes = 0;
  for (const auto& part : parts_) bytes = std::max(bytes, part.layout().stored_bytes_max());
  const auto threads = std::clamp(share.threads, 1U, manifest().geometry.tile_count());
  buffers_.assign(threads, std::vector<std::byte>(bytes));
}

std::vector<std::string> StoreSource::warnings() const {
  std::vector<std::string> warnings;
  for (const auto& part : parts_) {
    for (const auto& missing : part.files().missing)
      warnings.push_back(fmt::format("{} is not complete: {}; the copies of its frames are read", missing.path.string(),
                                     missing.error.what));
    if (!part.sums())
      warnings.push_back(part.files().path.string() + " has no checksums: its frames are copied without a check");
  }
  return warnings;
}

std::vector<fs::path> StoreSource::directories() const {
  std::vector<fs::path> directories;
  for (const auto& part : parts_) {
    const auto of_part = part.directories();
    directories.insert(directories.end(), of_part.begin(), of_part.end());
  }
  return directories;
}

std::uint64_t StoreSource::bytes() const {
  return parts_.front().layout().frame_bytes_in_all() * manifest().frame_count;
}

Result<const AVFrame*> StoreSource::next() {
  if (next_ == manifest().frame_count) return av::no_frame;
  av_frame_unref(current_.get());
  picture_.describe(*current_);
  if (!pool_.allocate(*current_)) return no_memory();
  const auto lanes = static_cast<unsigned>(buffers_.size());
  auto drawn = do_each(lanes, lanes, [&](unsigned lane) -> Result<void> {
    for (TileIndex tile{lane}; tile.value < manifest().geometry.tile_count(); tile.value += lanes)
      if (auto one = draw_tile(tile, buffers_[lane]); !one) return one;
    return {};
  });
  if (!drawn) return drawn.error();
  picture_.fill_gaps(*current_);
  current_->pts = next_ - first_;
  current_->pkt_duration = 1;
  ++next_;
  return current_.get();
}

Result<void> StoreSource::draw_tile(TileIndex tile, std::span<std::byte> buffer) {
  std::string damaged;
  for (const auto& part : parts_)
    for (unsigned copy = 0; part.manifest().holds(tile) && copy < part.manifest().copies; ++copy) {
      const auto& file = part.file_of(next_, tile, copy);
      if (!file.file) continue;  // its directory is missing
      const auto pixels = part.read(next_, tile, copy, buffer);
      if (pixels && part.is_good(next_, tile, *pixels) && picture_.draw(tile, *pixels, *current_)) {
        if (!damaged.empty()) note_damaged(tile, damaged);
        return {};
      }
      damaged += (damaged.empty() ? "" : " and ") + file.path.string();
    }
  return Error{fmt::format("frame {} of {} is damaged in {}", next_, manifest().geometry.name(tile), damaged),
               "restore that file, or skip the frame with --frames and --start"};
}

void StoreSource::note_damaged(TileIndex tile, const std::string& files) {
  const auto count = ++damaged_;
  if (count <= damaged_named_max)
    note_(fmt::format("frame {} of {} is damaged in {}; another copy of it is read", next_,
                      manifest().geometry.name(tile), files));
  if (count == damaged_named_max) note_("further damaged frames are only counted; wall-ingest --verify names them");
}

// By the store's own rate.
Result<void> StoreSource::start_at(double seconds, FrameRate /*rate*/) {
  const auto frame = std::llround(seconds * manifest().frame_rate.hertz());
  first_ = next_ = static_cast<std::uint32_t>(std::clamp<long long>(frame, 0, manifest().frame_count));
  return {};
}

Result<void> StoreSource::skip(std::uint32_t frames) {
  next_ += std::min(frames, manifest().frame_count - next_);
  return {};
}

AVRational StoreSource::time_base() const {
  const auto rate = manifest().frame_rate;
  return {static_cast<int>(rate.denominator), static_cast<int>(rate.numerator)};
}

std::optional<std::uint64_t> StoreSource::frame_bytes() const {
  return fitted_bytes(manifest().pixel_format, manifest().geometry.picture());
}

std::string StoreSource::fingerprint() const {
  auto text = "store " + digest_of(parts_.front());
  if (parts_.front().sums()) return text;
  for (const auto& file : parts_.front().files().files) text += "\n" + file_fingerprint(file.path);
  return text;
}

}  // namespace lw
