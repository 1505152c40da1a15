#include "tests/simulate/content.h"

#include "common/store/manifest.h"
#include "common/store/sound_file.h"
#include "common/store/stripe_layout.h"
#include "common/wall/geometry.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>

namespace lw::simulate {
namespace {

namespace fs = std::filesystem;
constexpr unsigned sample_bits = 20;               // of the 23 that a positive sample has
constexpr std::int64_t first_write = 946'684'800;  // long ago: in no tick of the kernel's clock in which a reader looks

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

std::uint64_t row_seed(std::uint64_t seed, std::uint32_t frame, TileIndex tile, unsigned row) {
  return mixed(mixed(mixed(seed + frame) + tile.value) + row) | 1U;
}

// Most rows of a format that varies in length repeat one word, so that frames do vary.
bool repeats(const StoreVersion& version, std::uint64_t seed) {
  return info(version.format).varies_in_length() && seed % 8 != 1;
}

// Calls each(offset, word, bytes) for the row's words until it returns false.
template <class Each>
bool for_each_word(std::uint64_t state, bool repeats, std::size_t bytes, Each each) {
  for (std::size_t at = 0; at < bytes; at += 8) {
    if (repeats && at > 0) {
      if (!each(at, state, std::min<std::size_t>(8, bytes - at))) return false;
      continue;
    }
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    if (!each(at, state, std::min<std::size_t>(8, bytes - at))) return false;
  }
  return true;
}

std::uint64_t seed_of(std::string_view text) {
  std::uint64_t seed = 0xcbf29ce484222325U;
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return seed;
}

Manifest manifest_for(const Visualization& visualization, const Wall& wall) {
  Manifest manifest;
  manifest.title = visualization.name;
  manifest.geometry = wall.grid;
  manifest.frame_rate = visualization.rate;
  manifest.pixel_format = visualization.format;
  manifest.frame_count = visualization.frames;
  manifest.stripes = {"."};
  if (info(visualization.format).varies_in_length()) manifest.bands = wall.streaming.flows_per_tile;
  if (visualization.bands > 0) {
    manifest.packets = PacketSlots::slot_bytes_for(media_datagram_max(wall, {}));
    manifest.bands = visualization.bands;
  }
  if (visualization.sounds) manifest.audio = SoundTrack{std::string(sound_file_name), sound_channels};
  return manifest;
}

// Where its groups fit.
PixelFormat deep_rgb_on(const Wall& wall) {
  const auto fits = [](const Tile& tile) { return has_groups(PixelFormat::rgb10, tile.place.width); };
  return std::ranges::all_of(wall.tiles, fits) ? PixelFormat::rgb10 : PixelFormat::ycbcr422_10;
}

}  // namespace

void paint_row(const StoreVersion& version, std::uint32_t frame, TileIndex tile, unsigned row,
               std::span<std::byte> out) {
  const auto seed = row_seed(version.seed, frame, tile, row);
  for_each_word(seed, repeats(version, seed), out.size(), [&](std::size_t at, std::uint64_t word, std::size_t n) {
    std::memcpy(out.data() + at, &word, n);
    return true;
  });
}

bool is_row(const StoreVersion& version, std::uint32_t frame, TileIndex tile, unsigned row,
            std::span<const std::byte> bytes) {
  const auto seed = row_seed(version.seed, frame, tile, row);
  return for_each_word(
      seed, repeats(version, seed), bytes.size(),
      [&](std::size_t at, std::uint64_t word, std::size_t n) { return std::memcmp(bytes.data() + at, &word, n) == 0; });
}

std::int32_t sample_of(const SoundPlace& place) {
  const auto code = static_cast<std::int64_t>(place.visualization) << sample_bits | (place.sample + 1);
  return static_cast<std::int32_t>(code << 8U);
}

SoundPlace place_of_sample(std::int32_t first_channel) {
  const auto code = static_cast<std::uint32_t>(first_channel) >> 8U;
  return {code >> sample_bits, static_cast<std::int64_t>(code & ((1U << sample_bits) - 1)) - 1};
}

Content::Content(fs::path folder, const Wall& wall)
    : folder_(std::move(folder)),
      wall_(wall),
      visualizations_{{"long", wall.frame_rate, 900, PixelFormat::rgb8, wall.streaming.flows_per_tile},
                      {"short", wall.frame_rate, 7, PixelFormat::rgb8, 0, true},
                      {"slow", {8, 1}, 40, PixelFormat::ycbcr422_8, 1, true},
                      {"deep", wall.frame_rate, 33, PixelFormat::ycbcr422_10, wall.streaming.flows_per_tile, true},
                      {"blocks", wall.frame_rate, 50, PixelFormat::bc7, wall.streaming.flows_per_tile},
                      {"thin", {12, 1}, 20, PixelFormat::bc1, 0, true},
                      {"tens", wall.frame_rate, 45, deep_rgb_on(wall), wall.streaming.flows_per_tile},
                      {"packed", wall.frame_rate, 60, PixelFormat::lossless, 0},
                      {"folded", {20, 1}, 25, PixelFormat::lossless, wall.streaming.flows_per_tile}} {
  for (std::size_t i = 0; i < visualizations_.size(); ++i) {
    const auto& visualization = visualizations_[i];
    if (visualization.sounds) write_sound(i);
    auto& store = stores_[visualization.name];
    store.version = make_version(visualization, true);
    const auto manifest = manifest_for(visualization, wall_);
    write_files(visualization.name, manifest, store.version);
    write_manifest(visualization.name, manifest);
  }
}

const Visualization* Content::find(std::string_view name) const {
  const auto found = std::ranges::find(visualizations_, name, &Visualization::name);
  return found == visualizations_.end() ? nullptr : &*found;
}

Visualization& Content::visualization(const std::string& name) {
  return *std::ranges::find(visualizations_, name, &Visualization::name);
}

bool Content::is_whole(std::string_view name) const {
  const auto found = stores_.find(name);
  return found != stores_.end() &&
         (found->second.change == Change::count || found->second.change == Change::overwritten);
}

const StoreVersion* Content::at(int file, std::uint64_t offset, std::size_t bytes) const {
  struct stat status {};
  if (::fstat(file, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < offset + bytes) return nullptr;
  const auto& body = bodies_.at(status.st_ino);
  return offset < body.next_bytes ? body.next : body.version;
}

StoreVersion* Content::make_version(const Visualization& visualization, bool whole) {
  const auto seed = seed_of(visualization.name + std::to_string(versions_.size()));
  const auto place = static_cast<std::size_t>(&visualization - visualizations_.data());
  return &versions_.emplace_back(StoreVersion{seed, visualization.frames, visualization.format, whole, false, place});
}

fs::path Content::manifest_of(const std::string& name) const { return folder_ / name / manifest_file_name; }

std::vector<fs::path> Content::files_of(const std::string& name) const {
  std::vector<fs::path> files;
  const auto manifest = manifest_for(*find(name), wall_);
  for (TileIndex tile; tile.value < wall_.tile_count(); ++tile.value)
    files.push_back(stripe_file(folder_ / name, manifest, 0, tile));
  return files;
}

// Each write has its own time, whatever the kernel's clock says.
void Content::set_time(const fs::path& file) {
  const timespec time{first_write + ++writes_, 0};
  const timespec times[2]{time, time};
  ::utimensat(AT_FDCWD, file.c_str(), times, 0);
}

// New files, which replace the old ones.
void Content::write_files(const std::string& name, const Manifest& manifest, const StoreVersion* version) {
  const StripeLayout layout(manifest);
  TileIndex tile;
  for (const auto& file : files_of(name)) {
    const fs::path beside = file.string() + ".new";
    fs::create_directories(file.parent_path());
    std::ofstream(beside) << layout.header(0, tile);
    fs::resize_file(beside, layout.file_bytes(0, tile));
    ++tile.value;
    set_time(beside);
    struct stat status {};
    ::stat(beside.c_str(), &status);
    bodies_[status.st_ino] = {version, nullptr, 0};
    fs::rename(beside, file);
  }
}

// Once: changes of a store replace its frames only.
void Content::write_sound(std::size_t visualization) {
  const auto& of = visualizations_[visualization];
  const auto samples = sample_of_frame(of.frames, of.rate);
  fs::create_directories(folder_ / of.name);
  const auto file = folder_ / of.name / sound_file_name;
  std::ofstream out(file, std::ios::binary);
  out << sound_header(sound_channels, static_cast<std::uint64_t>(samples));
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    const auto first = sample_of({visualization, sample});
    const std::array channels{first, static_cast<std::int32_t>(sound_sum - first)};
    out.write(reinterpret_cast<const char*>(channels.data()), sizeof channels);
  }
  out.close();
  set_time(file);
}

void Content::write_manifest(const std::string& name, const Manifest& manifest) {
  const auto file = manifest_of(name);
  std::ofstream(file) << to_json_text(manifest);
  set_time(file);
}

bool Content::begin_change(const std::string& name, Change change) {
  auto& store = stores_.at(name);
  if (store.change != Change::count) return false;
  store.change = change;
  auto& changed = visualization(name);
  if (change == Change::another) changed.frames = std::max(2U, changed.frames - changed.frames / 3);
  store.next = make_version(changed, change == Change::overwritten);
  if (change == Change::replaced) {
    fs::remove(manifest_of(name));
    return true;
  }
  if (change == Change::reshaped) {
    auto manifest = manifest_for(changed, wall_);
    if (manifest.geometry.is_free())
      manifest.geometry.free.front().place.height -= 1;
    else
      manifest.geometry.tile_width += 2;
    write_files(name, manifest, store.next);
    write_manifest(name, manifest);
    return true;
  }
  if (change != Change::overwritten) store.version->gone = true;
  go_on(name, 0);
  return true;
}

void Content::go_on(const std::string& name, double share) {
  const auto& store = stores_.at(name);
  if (store.change != Change::cut_short && store.change != Change::overwritten && store.change != Change::another)
    return;
  const StripeLayout layout(manifest_for(*find(name), wall_));
  TileIndex tile;
  for (const auto& file : files_of(name)) {
    const auto records = static_cast<double>(layout.records_in(0, tile));
    const auto header = layout.header_bytes();
    const auto record_bytes = layout.record_bytes(tile);
    // A growing file ends somewhere within a frame; overwriting also stops within a frame.
    const auto grown = store.change == Change::overwritten ? std::floor(share * records) : share * records;
    // Padding follows the last frame: a growing file must not seem complete before it is.
    const auto complete = header + (layout.records_in(0, tile) - 1) * record_bytes + layout.stored_bytes(tile);
    const auto bytes =
        std::min(header + static_cast<std::uint64_t>(grown * static_cast<double>(record_bytes)), complete - 1);
    struct stat status {};
    ::stat(file.c_str(), &status);
    auto& body = bodies_.at(status.st_ino);
    body.next = store.next;
    body.next_bytes = bytes;
    if (store.change != Change::overwritten) fs::resize_file(file, bytes);
    set_time(file);
    ++tile.value;
  }
}

void Content::end_change(const std::string& name) {
  auto& store = stores_.at(name);
  if (store.change == Change::count) return;
  const auto& changed = *find(name);
  const auto manifest = manifest_for(changed, wall_);
  const StripeLayout layout(manifest);
  if (store.change == Change::replaced || store.change == Change::reshaped) {
    write_files(name, manifest, store.next);
  } else {
    TileIndex tile;
    for (const auto& file : files_of(name)) {
      fs::resize_file(file, layout.file_bytes(0, tile));
      ++tile.value;
      struct stat status {};
      ::stat(file.c_str(), &status);
      bodies_.at(status.st_ino) = {store.next, nullptr, 0};
      set_time(file);
    }
    store.version->gone = true;
  }
  if (store.change != Change::overwritten) write_manifest(name, manifest);
  store.next->whole = true;
  store.version = store.next;
  store.next = nullptr;
  store.change = Change::count;
}

}  // namespace lw::simulate
