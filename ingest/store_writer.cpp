#include "ingest/store_writer.h"

#include "common/store/npy_header.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr std::uint32_t frames_per_journal = 16;
constexpr const char* journal_name = "journal.json";

// The whole of `bytes` at `offset`; an errno, or 0.
int write_all(int fd, std::span<const std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const auto written = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

// A rename or a new file is on the disk only when its folder is.
void sync_folder(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

fs::path StoreWriter::partial(std::size_t stripe) const { return directories_[stripe] / ("." + manifest_.name + ".partial"); }
fs::path StoreWriter::final_folder(std::size_t stripe) const { return directories_[stripe] / manifest_.name; }

Error StoreWriter::disk_error(const fs::path& file, int error) const {
  if (error != ENOSPC && error != EDQUOT) return {"cannot write " + file.string() + ": " + std::strerror(error), "check the directory's permissions and disk"};
  struct statvfs space {};
  const auto free_bytes = statvfs(file.parent_path().c_str(), &space) == 0 ? space.f_bavail * space.f_frsize : 0;
  return {fmt::format("the disk of {} is full after {} frames ({} MiB free)", file.parent_path().parent_path().string(), frames_, free_bytes >> 20U),
          fmt::format("a frame needs {} KiB on the wall's disks together: free some space or give more directories to --out", layout_->record_bytes() * tiles_ >> 10U)};
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::begin(const Manifest& manifest, std::vector<fs::path> directories, const std::string& recipe, bool overwrite) {
  std::unique_ptr<StoreWriter> writer(new StoreWriter);
  writer->manifest_ = manifest;
  writer->directories_ = std::move(directories);
  writer->tiles_ = manifest.geometry.columns * manifest.geometry.rows;
  // Stripe 0 lies in the visualization's own folder; the others are named by their full path.
  writer->manifest_.stripes.clear();
  for (std::size_t i = 0; i < writer->directories_.size(); ++i) {
    std::error_code error;
    auto& directory = writer->directories_[i];
    fs::create_directories(directory, error);
    directory = fs::canonical(directory, error);
    if (error) return Error{"cannot use the directory " + writer->directories_[i].string() + ": " + error.message(), "correct --out"};
    writer->manifest_.stripes.push_back(i == 0 ? fs::path(".") : writer->final_folder(i));
    if (std::find(writer->directories_.begin(), writer->directories_.begin() + static_cast<std::ptrdiff_t>(i), directory) != writer->directories_.begin() + static_cast<std::ptrdiff_t>(i))
      return Error{"--out names the directory " + directory.string() + " twice", "a stripe is a directory on a disk of its own"};
    if (fs::exists(writer->final_folder(i), error) && !overwrite) {
      writer->keep_ = true;
      return Error{writer->final_folder(i).string() + " is there already", "use --overwrite to replace it or --name to give another name"};
    }
  }
  writer->layout_ = std::make_unique<StripeLayout>(writer->manifest_);
  writer->recipe_ = recipe;
  writer->record_.resize(writer->layout_->record_bytes());
  if (auto resumed = writer->try_resume(recipe); !resumed) return resumed.error();
  if (auto opened = writer->open_files(); !opened) return opened.error();
  // The checksums of what is there already are made anew: that also shows that it can be read.
  std::vector<std::byte> pixels(writer->layout_->frame_bytes());
  const auto there = writer->resumed_;
  for (std::uint32_t frame = 0; frame < there; ++frame)
    for (unsigned tile = 0; tile < writer->tiles_; ++tile) {
      if (auto read = writer->read_tile(frame, tile, pixels); !read) return read.error();
      writer->checksums_.push_back(checksum(pixels));
    }
  writer->frames_ = there;
  return writer;
}

Result<void> StoreWriter::try_resume(const std::string& recipe) {
  std::ifstream in(partial(0) / journal_name);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto journal = nlohmann::json::parse(text, nullptr, false);
  if (journal.is_object() && journal.value("recipe", std::string()) == recipe && journal.contains("frames") && journal["frames"].is_number_unsigned()) {
    resumed_ = journal["frames"].get<std::uint32_t>();
    return {};
  }
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe) {
    std::error_code error;
    fs::remove_all(partial(stripe), error);
    fs::create_directory(partial(stripe), error);
    if (error) {
      keep_ = true;
      return Error{"cannot write into " + directories_[stripe].string() + ": " + error.message(), "check its permissions or give another --out"};
    }
  }
  return {};
}

Result<void> StoreWriter::open_files() {
  for (unsigned stripe = 0; stripe < directories_.size(); ++stripe)
    for (unsigned tile = 0; tile < tiles_; ++tile) {
      const auto file = partial(stripe) / stripe_file("", manifest_, stripe, {tile % manifest_.geometry.columns, tile / manifest_.geometry.columns}).filename();
      const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
      if (fd < 0) return disk_error(file, errno);
      files_.push_back(fd);
    }
  return {};
}

Result<void> StoreWriter::write_tile(unsigned tile_index, std::span<const std::byte> pixels) {
  assert(pixels.size() == layout_->frame_bytes());
  const auto where = layout_->locate(frames_, tile_index);
  std::ranges::copy(pixels, record_.begin());
  if (const int error = write_all(files_[where.stripe * tiles_ + tile_index], record_, where.offset); error != 0) return disk_error(partial(where.stripe) / "stripe", error);
  checksums_.push_back(checksum(pixels));
  return {};
}

Result<void> StoreWriter::end_frame() {
  ++frames_;
  if (frames_ % frames_per_journal != 0) return {};
  return write_journal();
}

// The journal never names a frame that is not on the disks.
Result<void> StoreWriter::write_journal() const {
  for (const int fd : files_)
    if (fdatasync(fd) != 0) return disk_error(partial(0) / "stripe", errno);
  const auto file = partial(0) / journal_name;
  const auto fresh = partial(0) / "journal.new";
  {
    std::ofstream out(fresh);
    out << nlohmann::json{{"recipe", recipe_}, {"frames", frames_}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    out.close();
    if (!out) return disk_error(fresh, ENOSPC);
  }
  std::error_code error;
  fs::rename(fresh, file, error);
  return {};
}

Result<void> StoreWriter::read_tile(std::uint32_t frame, unsigned tile_index, std::span<std::byte> pixels) const {
  const auto where = layout_->locate(frame, tile_index);
  const auto got = pread(files_[where.stripe * tiles_ + tile_index], pixels.data(), layout_->frame_bytes(), static_cast<off_t>(where.offset));
  if (got != static_cast<ssize_t>(layout_->frame_bytes()))
    return Error{fmt::format("frame {} of {} cannot be read back", frame, partial(where.stripe).string()), "remove that folder and run the command again"};
  return {};
}

Result<void> StoreWriter::finish(Manifest manifest) {
  manifest.name = manifest_.name;
  manifest.stripes = manifest_.stripes;
  manifest.frame_count = frames_;
  manifest.checksums = "checksums.npy";
  const StripeLayout whole(manifest);
  const NpyShape shape{0, manifest.geometry.tile_height, row_bytes(manifest.pixel_format, manifest.geometry.tile_width), whole.record_bytes() - whole.frame_bytes()};
  for (unsigned stripe = 0; stripe < directories_.size(); ++stripe)
    for (unsigned tile = 0; tile < tiles_; ++tile) {
      auto with_count = shape;
      with_count.records = whole.records_in(stripe, tile);
      const auto header = npy_header(with_count);
      const int fd = files_[stripe * tiles_ + tile];
      int error = write_all(fd, std::as_bytes(std::span(header)), 0);
      if (error == 0 && fsync(fd) != 0) error = errno;
      if (error != 0) return disk_error(partial(stripe) / "stripe", error);
    }
  if (auto saved = save_checksums({frames_, tiles_, checksums_}, partial(0) / manifest.checksums); !saved) return saved;
  std::ofstream out(partial(0) / manifest_file_name);
  out << to_json_text(manifest);
  out.close();
  if (!out) return disk_error(partial(0) / manifest_file_name, ENOSPC);

  std::error_code error;
  fs::remove(partial(0) / journal_name, error);
  // The folder with the manifest last: until then there is no visualization of this name, afterwards it is whole.
  for (std::size_t stripe = directories_.size(); stripe-- > 0;) {
    sync_folder(partial(stripe));
    fs::remove_all(final_folder(stripe), error);
    fs::rename(partial(stripe), final_folder(stripe), error);
    if (error) return Error{"cannot rename " + partial(stripe).string() + ": " + error.message(), "check the directory's permissions"};
    sync_folder(directories_[stripe]);
  }
  keep_ = true;
  return {};
}

void StoreWriter::interrupt() {
  if (write_journal()) keep_ = true;
}

void StoreWriter::abandon() {
  std::error_code error;
  for (std::size_t stripe = 0; stripe < directories_.size(); ++stripe) fs::remove_all(partial(stripe), error);
  keep_ = true;
}

StoreWriter::~StoreWriter() {
  for (const int fd : files_) close(fd);
  if (!keep_) abandon();
}

}  // namespace lw
