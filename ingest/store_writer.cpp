#include "ingest/store_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "common/base/counted.h"
#include "common/base/random_id.h"
#include "common/store/growing.h"
#include "common/store/stripe_mark.h"
#include "ingest/disk.h"
#include "ingest/publish.h"

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds journal_interval{1};
constexpr const char* growing_next_name = "growing.next";
constexpr std::uint64_t small_files_bytes = 1'000'000;  // poster, thumbnails, manifest

}  // namespace

fs::path StoreWriter::partial(std::size_t stripe) const {
  return directories_[stripe] / growing_folder_name(manifest_.name);
}
fs::path StoreWriter::final_folder(std::size_t stripe) const { return directories_[stripe] / manifest_.name; }

unsigned StoreWriter::file_of(unsigned stripe, TileIndex tile, unsigned copy) const {
  const auto found = std::ranges::lower_bound(held_, tile);
  assert(found != held_.end() && *found == tile);
  const auto stripes = static_cast<unsigned>(directories_.size());
  return (copy * stripes + stripe) * static_cast<unsigned>(held_.size()) + static_cast<unsigned>(found - held_.begin());
}

std::size_t StoreWriter::directory_of(unsigned file) const {
  const auto stripes = static_cast<unsigned>(directories_.size());
  const auto row = file / static_cast<unsigned>(held_.size());
  return layout_->directory_of(row % stripes, row / stripes);
}

Error StoreWriter::disk_error(const fs::path& file, int error) const {
  const auto directory = file.parent_path().parent_path();
  if (error != ENOSPC && error != EDQUOT)
    return {"cannot write " + file.string() + ": " + std::strerror(error),
            "check the directory's permissions and limits"};
  return {
      fmt::format("the disk of {} is full after {}: a frame needs {} over all stripes, {} are free", directory.string(),
                  counted(frames_, "frame"), disk::size_text(layout_->record_bytes_held() * layout_->copies()),
                  disk::size_text(disk::free_bytes(directory))),
      "free some space, name directories on other disks with --out, or import fewer frames with --frames"};
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::prepare(const Manifest& manifest,
                                                          const std::vector<fs::path>& directories,
                                                          const std::string& recipe, bool overwrite, RightOfWay* way) {
  std::unique_ptr<StoreWriter> writer(new StoreWriter);
  writer->manifest_ = manifest;
  writer->overwrite_ = overwrite;
  writer->tiles_ = manifest.geometry.tile_count();
  for (TileIndex tile; tile.value < writer->tiles_; ++tile.value)
    if (manifest.holds(tile)) writer->held_.push_back(tile);
  if (auto used = writer->use_directories(directories); !used) return used.error();
  writer->layout_ = std::make_unique<StripeLayout>(writer->manifest_);
  writer->output_.emplace(way, writer->layout_->record_bytes_max());
  writer->recipe_ = recipe;
  for (const auto& directory : writer->directories_) writer->recipe_ += "|" + directory.string();
  for (const auto tile : manifest.tiles) writer->recipe_ += fmt::format("|{}", tile.value);
  if (manifest.packets == 0 && info(manifest.pixel_format).varies_in_length())
    writer->recipe_ += fmt::format("|{} bands", manifest.bands);
  if (manifest.packets > 0) writer->recipe_ += fmt::format("|packets {} of {} bands", manifest.packets, manifest.bands);
  if (manifest.copies > 1) writer->recipe_ += fmt::format("|{} copies", manifest.copies);
  writer->journal_.emplace(writer->partial(0), writer->recipe_, writer->tiles_);
  writer->journal_due_ = std::chrono::steady_clock::now() + journal_interval;
  return writer;
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::begin(const Manifest& manifest,
                                                        const std::vector<fs::path>& directories,
                                                        const std::string& recipe, bool overwrite, RightOfWay* way) {
  auto writer = prepare(manifest, directories, recipe, overwrite, way);
  if (!writer) return writer;
  auto& self = **writer;
  if (auto ready = self.take_places(); !ready) return ready.error();
  const auto shards = shards_in(self.partial(0), self.recipe_);
  if (!shards) return shards.error();
  if (*shards)
    return Error{fmt::format("{} contains shards of this import", self.partial(0).string()),
                 "join them with --join, or remove the folder"};
  if (auto started = self.start_or_resume(); !started) return started.error();
  if (auto opened = self.open_files(); !opened) return opened.error();
  if (auto whole = self.check_resumed(); !whole) return whole.error();
  if (self.resumed_ > 0) self.ours_ = false;  // whatever fails later, the next run continues
  std::error_code none;
  if (fs::exists(self.partial(0) / growing_file_name, none))
    if (auto plays = self.let_play(); !plays) return plays.error();
  return writer;
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::begin_shard(const Manifest& manifest,
                                                              const std::vector<fs::path>& directories,
                                                              const std::string& recipe, bool overwrite, Shard shard,
                                                              std::uint32_t first, RightOfWay* way) {
  auto writer = prepare(manifest, directories, recipe, overwrite, way);
  if (!writer) return writer;
  auto& self = **writer;
  self.shard_ = shard;
  self.first_ = first;
  self.journal_.emplace(self.partial(0), self.recipe_, self.tiles_, journal_name(shard));
  if (auto ready = self.take_shared_places(); !ready) return ready.error();
  if (auto checksums = self.journal_->resume()) {
    self.checksums_ = std::move(*checksums);
    self.frames_ = self.resumed_ = static_cast<std::uint32_t>(self.checksums_.size() / self.tiles_);
  }
  if (auto opened = self.open_files(); !opened) return opened.error();
  if (auto whole = self.check_resumed(); !whole) return whole.error();
  return writer;
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::join(const Manifest& manifest,
                                                       const std::vector<fs::path>& directories,
                                                       const std::string& recipe, bool overwrite, RightOfWay* way) {
  auto writer = prepare(manifest, directories, recipe, overwrite, way);
  if (!writer) return writer;
  auto& self = **writer;
  std::error_code error;
  if (!fs::exists(self.partial(0), error))
    return Error{"there are no shards in " + self.partial(0).string(), "import them with --shard, then join them"};
  if (auto ready = self.take_places(); !ready) return ready.error();
  if (auto collected = self.collect_shards(); !collected) return collected.error();
  if (auto opened = self.open_files(); !opened) return opened.error();
  if (auto whole = self.check_resumed(); !whole) return whole.error();
  return writer;
}

// Stripe 0 is in the visualization's own folder; the others are named by their full paths.
Result<void> StoreWriter::use_directories(const std::vector<fs::path>& directories) {
  for (const auto& directory : directories) {
    std::error_code error;
    fs::create_directories(directory, error);
    const auto path = fs::canonical(directory, error);
    if (error) return Error{"cannot use the directory " + directory.string() + ": " + error.message(), "correct --out"};
    if (std::ranges::find(directories_, path) != directories_.end())
      return Error{"--out names the directory " + path.string() + " twice",
                   "each stripe needs its own directory, on its own disk"};
    directories_.push_back(path);
    const auto stripe = directories_.size() - 1;
    manifest_.stripes.push_back(stripe == 0 ? fs::path(".") : final_folder(stripe));
  }
  return {};
}

// A partial folder will be continued or emptied. It must therefore be a real folder, not a link, created by an import
// of this user.
Result<void> StoreWriter::check_partial(std::size_t stripe) const {
  struct stat status {};
  if (::lstat(partial(stripe).c_str(), &status) != 0) return {};
  if (S_ISDIR(status.st_mode) && status.st_uid == ::geteuid()) return {};
  return Error{partial(stripe).string() + " is a link or another user's",
               "remove it, or choose another name with --name"};
}

Result<void> StoreWriter::take_places() {
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe)
    if (auto ours = check_partial(stripe); !ours) return ours;
  std::error_code error;
  if (fs::exists(partial(0), error)) {
    if (auto taken = take_partial(); !taken) return taken;
    take_back();
  }
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe)
    if (auto place = check_place(stripe); !place) return place;
  return lock_ ? Result<void>() : take_partial();
}

// Any number of shards hold the folder together.
Result<void> StoreWriter::take_shared_places() {
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe) {
    if (auto ours = check_partial(stripe); !ours) return ours;
    if (auto place = check_place(stripe); !place) return place;
    std::error_code error;
    fs::create_directory(partial(stripe), error);
    if (error)
      return Error{"cannot write into " + directories_[stripe].string() + ": " + error.message(),
                   "check its permissions or give another --out"};
  }
  lock_ = Descriptor(open(partial(0).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!lock_) return disk_error(partial(0) / "shards.json", errno);
  const auto beginning = lock_beginning(partial(0));
  if (!beginning) return beginning.error();
  if (auto entered = enter_import(); !entered) return entered;
  auto mine = lock_shard(partial(0), *shard_);
  if (!mine) return mine.error();
  shard_lock_ = std::move(*mine);
  return {};
}

// The first shard replaces what another import left.
Result<void> StoreWriter::enter_import() {
  const Error taken{"another import is writing " + final_folder(0).string(),
                    "wait for it or choose another name with --name"};
  const auto known = shards_in(partial(0), recipe_);
  if (!known) return known.error();
  if (*known != shard_->count) {
    if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) return taken;
    for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe)
      if (auto empty = empty_partial(partial(stripe)); !empty) return empty;
    if (auto noted = note_shards(partial(0), recipe_, shard_->count); !noted) return noted;
  }
  if (flock(lock_.get(), LOCK_SH | LOCK_NB) != 0) return taken;
  return {};
}

Result<void> StoreWriter::collect_shards() {
  const auto count = shards_in(partial(0), recipe_);
  if (!count) return count.error();
  if (!*count)
    return Error{"there are no shards of this import in " + partial(0).string(),
                 "import them with --shard and otherwise the same options, then join them"};
  std::string missing;
  for (unsigned number = 1; number <= **count; ++number) {
    const Shard shard{number, **count};
    Journal journal(partial(0), recipe_, tiles_, journal_name(shard));
    const auto checksums = journal.resume();
    if (!checksums || !journal.complete())
      missing += (missing.empty() ? "" : ", ") + to_text(shard);
    else
      checksums_.insert(checksums_.end(), checksums->begin(), checksums->end());
    shard_ends_.push_back(static_cast<std::uint32_t>(checksums_.size() / tiles_));
  }
  frames_ = resumed_ = static_cast<std::uint32_t>(checksums_.size() / tiles_);
  if (missing.empty()) return {};
  return Error{"not finished: shard " + missing, "run wall-ingest --shard again for each, then join them"};
}

// A run that was interrupted between its renames leaves stripes at their final places, while the manifest is still in
// the partial folder. Moves these stripes back to the partial folders.
void StoreWriter::take_back() const {
  const auto manifest = load_manifest(partial(0));
  if (!manifest || manifest->stripes != manifest_.stripes) return;
  std::error_code error;
  for (std::size_t stripe = 1; stripe < directories_.size(); ++stripe)
    if (!fs::exists(partial(stripe), error) && can_replace(final_folder(stripe)))
      fs::rename(final_folder(stripe), partial(stripe), error);
}

Result<void> StoreWriter::check_place(std::size_t stripe) const {
  const auto folder = final_folder(stripe);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return {};
  if (overwrite_) return can_replace(folder);
  return Error{folder.string() + " already exists",
               "add --overwrite to replace it, or --name NAME to import it beside it"};
}

Result<void> StoreWriter::take_partial() {
  std::error_code error;
  const auto folder = partial(0);
  fs::create_directory(folder, error);
  if (!error) lock_ = Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!lock_)
    return Error{
        "cannot write into " + directories_[0].string() + ": " + (error ? error.message() : std::strerror(errno)),
        "check its permissions or give another --out"};
  if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    return Error{"another wall-ingest is writing " + final_folder(0).string(),
                 "wait for it or choose another name with --name"};
  return {};
}

Result<void> StoreWriter::start_or_resume() {
  if (auto checksums = journal_->resume()) {
    checksums_ = std::move(*checksums);
    frames_ = resumed_ = static_cast<std::uint32_t>(checksums_.size() / tiles_);
    return {};
  }
  ours_ = true;
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe) {
    std::error_code error;
    fs::create_directory(partial(stripe), error);
    // The folder itself stays: the lock is on it.
    if (!error)
      for (const auto& entry : fs::directory_iterator(partial(stripe), error)) fs::remove_all(entry.path(), error);
    if (error)
      return Error{"cannot write into " + directories_[stripe].string() + ": " + error.message(),
                   "check its permissions or give another --out"};
  }
  return {};
}

Result<void> StoreWriter::open_files() {
  for (unsigned copy = 0; copy < manifest_.copies; ++copy)
    for (unsigned stripe = 0; stripe < directories_.size(); ++stripe)
      for (const auto tile : held_) {
        const auto file = partial(layout_->directory_of(stripe, copy)) / stripe_file_name(manifest_, tile, copy);
        const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0) return disk_error(file, errno);
        output_->add(fd);
      }
  ours_ = !shard_ && shard_ends_.empty();
  // The files that the journal will name must survive, and the folders that contain them.
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe)
    for (const auto& folder : {partial(stripe), directories_[stripe]})
      if (const int error = disk::sync_folder(folder); error != 0) return disk_error(folder / "stripe", error);
  return {};
}

// Whether the files are long enough for the frames that the journal names: the last ones of each stripe, in all copies.
Result<void> StoreWriter::check_resumed() const {
  const auto stripes = static_cast<std::uint32_t>(directories_.size());
  const auto rows = static_cast<unsigned>(held_.size()) * manifest_.copies;
  for (std::uint32_t frame = frames_ - std::min(frames_, stripes); frame < frames_; ++frame)
    for (unsigned row = 0; row < rows; ++row) {
      const auto tile = held_[row / manifest_.copies];
      const auto where = layout_->locate(first_ + frame, tile);
      const auto file = file_of(where.stripe, tile, row % manifest_.copies);
      struct stat status {};
      if (fstat(output_->descriptor(file), &status) == 0 &&
          static_cast<std::uint64_t>(status.st_size) >= where.offset + layout_->record_bytes(tile))
        continue;
      const auto folder = partial(directory_of(file)).string();
      if (!shard_ && shard_ends_.empty())
        return Error{"the interrupted store " + folder + " was damaged and has been removed",
                     "run the command again to start from the beginning"};
      if (shard_) journal_->remove();
      return Error{folder + " lacks frames that a shard has written",
                   shard_ ? "run the command again to import the shard from its beginning"
                          : "run wall-ingest --shard again for each, then join them"};
    }
  return {};
}

Result<void> StoreWriter::check_space(std::uint32_t frames, std::uint64_t sound_bytes) const {
  auto whole = manifest_;
  whole.frame_count = frames;
  const StripeLayout layout(whole);
  std::vector<std::uint64_t> there(directories_.size(), 0);
  for (unsigned file = 0; file < output_->size(); ++file) {
    struct stat status {};
    if (fstat(output_->descriptor(file), &status) == 0)
      there[directory_of(file)] += static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  std::vector<disk::Demand> demands;
  for (unsigned stripe = 0; stripe < directories_.size(); ++stripe) {
    const auto sums = std::uint64_t{frames} * tiles_ * sizeof(checksums_[0]);
    std::uint64_t needed = stripe == 0 ? small_files_bytes + sums + sound_bytes : 0;
    for (const auto tile : held_) needed += layout.directory_bytes(stripe, tile);
    demands.push_back({directories_[stripe], needed - std::min(needed, there[stripe])});
  }
  return disk::check_space(demands);
}

Result<void> StoreWriter::write_tile(TileIndex tile, std::span<const std::byte> pixels, std::uint64_t sum) {
  assert(pixels.size() == layout_->stored_bytes(tile) || pixels.size() == layout_->record_bytes(tile));
  checksums_.push_back(sum);
  if (!manifest_.holds(tile)) return {};
  const auto where = layout_->locate(first_ + frames_, tile);
  for (unsigned copy = 0; copy < manifest_.copies; ++copy) {
    const auto file = file_of(where.stripe, tile, copy);
    const bool has_holes = info(manifest_.pixel_format).varies_in_length();
    const int error =
        has_holes ? output_->write_with_holes(file, pixels, where.offset) : output_->write(file, pixels, where.offset);
    if (error != 0) return disk_error(partial(directory_of(file)) / "stripe", error);
  }
  return {};
}

Result<void> StoreWriter::end_frame() {
  ++frames_;
  return std::chrono::steady_clock::now() < journal_due_ ? Result<void>() : flush();
}

Result<void> StoreWriter::flush() {
  if (frames_ == std::exchange(flushed_, frames_)) return {};
  auto written = write_journal();
  journal_due_ = std::chrono::steady_clock::now() + journal_interval;
  if (written) ours_ = false;  // whatever fails later, the next run continues from here
  return written;
}

Result<void> StoreWriter::write_journal(bool complete) {
  for (unsigned i = 0; i < output_->size(); ++i)
    if (fdatasync(output_->descriptor(i)) != 0) return disk_error(partial(directory_of(i)) / "stripe", errno);
  if (auto recorded = journal_->record(checksums_, complete); !recorded) return recorded;
  return growing_id_.empty() ? Result<void>() : tell_growth();
}

Result<void> StoreWriter::let_play() {
  if (!growing_id_.empty()) return {};
  // A server that plays what an earlier run has written goes on with what this one adds.
  const auto folder = open_folder(partial(0), "check its permissions");
  if (!folder) return folder.error();
  const auto before = load_growing({folder->get(), partial(0), ""});
  growing_id_ = before && !before->id.empty() ? before->id : random_id();
  if (auto marked = write_marks(growing_id_); !marked) return marked;
  return frames_ > 0 ? tell_growth() : Result<void>();
}

Result<void> StoreWriter::write_marks(const std::string& id) const {
  for (unsigned stripe = 0; stripe < directories_.size(); ++stripe) {
    const auto mark = partial(stripe) / stripe_mark_name;
    if (const int error = disk::write_file(mark, to_json_text(StripeMark{id, final_folder(0), stripe})))
      return disk_error(mark, error);
  }
  return {};
}

// Names only frames that the journal has recorded.
Result<void> StoreWriter::tell_growth() const {
  if (frames_ == 0) return {};
  auto manifest = manifest_;
  manifest.id = growing_id_;
  manifest.frame_count = frames_;
  manifest.checksums = growing_checksums_name;
  for (std::size_t stripe = 1; stripe < directories_.size(); ++stripe) manifest.stripes[stripe] = partial(stripe);
  const auto next = partial(0) / growing_next_name;
  if (const int error = disk::write_file(next, to_json_text(manifest)); error != 0) return disk_error(next, error);
  std::error_code renamed;
  fs::rename(next, partial(0) / growing_file_name, renamed);
  return renamed ? Result<void>(disk_error(next, renamed.value())) : Result<void>();
}

Result<void> StoreWriter::finish_shard() { return write_journal(true); }

std::optional<std::span<const std::byte>> StoreWriter::read_copy(std::uint32_t frame, TileIndex tile, unsigned copy,
                                                                 std::span<std::byte> buffer) const {
  const auto where = layout_->locate(frame, tile);
  const auto stored = buffer.first(layout_->stored_bytes(tile));
  if (output_->read(file_of(where.stripe, tile, copy), stored, where.offset) != 0) return std::nullopt;
  if (const auto* const slots = layout_->slots(tile)) slots->close_up(stored.data());
  return stored.first(layout_->frame_bytes(tile));
}

Result<std::span<const std::byte>> StoreWriter::read_tile(std::uint32_t frame, TileIndex tile,
                                                          std::span<std::byte> buffer) const {
  if (const auto pixels = read_copy(frame, tile, 0, buffer)) return *pixels;
  return Error{
      fmt::format("frame {} of {} cannot be read back", frame, partial(layout_->locate(frame, tile).stripe).string()),
      "check the disk, then run the command again"};
}

Result<void> StoreWriter::check_tile(std::uint32_t frame, TileIndex tile, std::span<std::byte> buffer) {
  const auto is_good = [&](unsigned copy) {
    const auto pixels = read_copy(frame, tile, copy, buffer);
    return pixels && checksum(*pixels) == checksums_[std::size_t{frame} * tiles_ + tile.value];
  };
  unsigned copy = 0;
  while (copy < manifest_.copies && is_good(copy)) ++copy;
  if (copy == manifest_.copies) return {};
  const auto of = std::ranges::upper_bound(shard_ends_, frame) - shard_ends_.begin();
  const Shard shard{static_cast<unsigned>(of) + 1, static_cast<unsigned>(shard_ends_.size())};
  Journal(partial(0), recipe_, tiles_, journal_name(shard)).remove();
  return Error{fmt::format("frame {} of tile {} is damaged on the disk", frame, tile.value),
               fmt::format("run wall-ingest --shard {} again, then join the shards", to_text(shard))};
}

Result<void> StoreWriter::write_headers(const Manifest& manifest) {
  const StripeLayout layout(manifest);
  const auto stripes = static_cast<unsigned>(directories_.size());
  for (unsigned file = 0; file < output_->size(); ++file) {
    const auto tile = held_[file % held_.size()];
    const auto stripe = file / static_cast<unsigned>(held_.size()) % stripes;
    const auto header = layout.header(stripe, tile);
    int error = output_->write(file, std::as_bytes(std::span(header)), 0);
    if (error == 0 && fsync(output_->descriptor(file)) != 0) error = errno;
    if (error != 0) return disk_error(partial(directory_of(file)) / "stripe", error);
  }
  return {};
}

Result<void> StoreWriter::finish(Manifest manifest) {
  manifest.name = manifest_.name;
  manifest.stripes = manifest_.stripes;
  manifest.tiles = manifest_.tiles;
  manifest.packets = manifest_.packets;
  manifest.bands = manifest_.bands;
  manifest.copies = manifest_.copies;
  manifest.frame_count = frames_;
  manifest.checksums = "checksums.npy";
  if (auto written = write_headers(manifest); !written) return written;
  if (auto recorded = journal_->record(checksums_); !recorded) return recorded;
  if (auto saved = save_checksums({frames_, tiles_, checksums_}, partial(0) / manifest.checksums); !saved) return saved;
  // Only if the stripes belong to the store, not to a copy.
  manifest.id = growing_id_.empty() ? random_id() : growing_id_;
  if (auto marked = write_marks(manifest.id); !marked) return marked;
  const auto manifest_file = partial(0) / manifest_file_name;
  if (const int error = disk::write_file(manifest_file, to_json_text(manifest)); error != 0)
    return disk_error(manifest_file, error);
  const auto sound = manifest.audio ? manifest.audio->file : std::string();
  for (const auto& name : {manifest.checksums, manifest.poster, manifest.thumbnails, sound})
    if (const int error = name.empty() ? 0 : disk::sync_file(partial(0) / name); error != 0)
      return disk_error(partial(0) / name, error);
  std::vector<Publication> folders;
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe) {
    if (auto place = check_place(stripe); !place) return place;  // hours may have passed
    folders.push_back({partial(stripe), final_folder(stripe)});
  }
  const auto clean = [this] {
    std::error_code none;
    fs::remove(partial(0) / growing_file_name, none);
    fs::remove(partial(0) / growing_next_name, none);
    journal_->remove();
    remove_shards(partial(0));
  };
  if (auto published = publish(folders, clean); !published) return published;
  ours_ = false;
  return {};
}

Result<void> StoreWriter::interrupt() {
  if (!shard_ends_.empty()) return {};  // the shards' own journals stay
  auto written = write_journal();
  if (written) ours_ = false;
  return written;
}

StoreWriter::~StoreWriter() {
  output_.reset();
  if (ours_) {
    std::error_code error;
    for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe) fs::remove_all(partial(stripe), error);
  }
}

}  // namespace lw
