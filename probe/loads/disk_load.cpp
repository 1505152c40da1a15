#include "probe/loads/disk_load.h"

#include "common/base/cannot_write.h"
#include "common/base/write_all.h"
#include "common/concurrency/pinned_thread.h"
#include "common/metrics/process_stats.h"
#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "server/read/open_store.h"
#include "server/read/stripe_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

namespace lw {
namespace {

constexpr unsigned frame_width = 3840, frame_rows = 2160;  // RGB: 24.9 MB
constexpr std::chrono::milliseconds read_wait_max{100};
constexpr std::string_view folder_prefix = "wall-probe-";

std::string folder_of(const LoadSpec& load, unsigned stripes) {
  return fmt::format("{}{}-stripes-of-{}-mib", folder_prefix, stripes, load.stripe_mib);
}

constexpr const char* directory_mend = "make room there, or name other directories, or a smaller stripe_mib";

// Noise, because compressing filesystems would not read uniform data.
std::vector<std::byte> noise(std::size_t bytes) {
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  std::mt19937_64 random(1);
  for (auto& word : words) word = random();
  std::vector<std::byte> out(bytes);
  std::memcpy(out.data(), words.data(), bytes);
  return out;
}

// Written under a temporary name first, so that an incomplete file is never taken for a complete one.
Result<void> write_stripe(const std::filesystem::path& file, const Manifest& manifest, unsigned stripe,
                          std::span<const std::byte> frame) {
  const StripeLayout layout(manifest);
  std::error_code none;
  if (std::filesystem::file_size(file, none) == layout.file_bytes(stripe, {})) return {};
  const auto partial = file.string() + ".part";
  const int fd = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return cannot_write(partial, directory_mend);
  NpyShape shape{layout.records_in(stripe, {}), frame_rows, std::size_t{frame_width} * 3,
                 layout.record_bytes({}) - layout.frame_bytes({})};
  const auto header = npy_header(shape);
  int error = write_all(fd, std::as_bytes(std::span(header)));
  for (std::uint64_t i = 0; error == 0 && i < shape.records; ++i) error = write_all(fd, frame);
  if (error == 0 && fsync(fd) != 0) error = errno;
  // Without O_DIRECT, reads would be served from data that is still in the page cache.
  if (error == 0) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
  if (error == 0 && std::rename(partial.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    errno = error;
    const auto failed = cannot_write(file, directory_mend);
    ::unlink(partial.c_str());
    return failed;
  }
  return {};
}

Result<std::filesystem::path> prepare_store(const LoadSpec& load) {
  const unsigned stripes = load.stripes > 0 ? load.stripes : static_cast<unsigned>(load.directories.size());
  Manifest manifest;
  manifest.title = "Test frames of wall-probe";
  manifest.geometry = {1, 1, frame_width, frame_rows, 0, 0};
  const auto name = folder_of(load, stripes);
  for (unsigned i = 0; i < stripes; ++i) {
    std::error_code failed;
    const auto directory = std::filesystem::absolute(load.directories[i]) / name / fmt::format("stripe-{}", i);
    std::filesystem::create_directories(directory, failed);
    if (failed)
      return Error{fmt::format("cannot make {}: {}", directory.string(), failed.message()), "name other directories"};
    manifest.stripes.push_back(directory);
  }
  const std::size_t frame_bytes = std::size_t{frame_width} * 3 * frame_rows;
  const auto per_stripe = std::max<std::size_t>((load.stripe_mib << 20U) / frame_bytes, 1);
  manifest.frame_count = static_cast<std::uint32_t>(per_stripe * stripes);
  const auto frame = noise(StripeLayout(manifest).record_bytes({}));
  auto folder = std::filesystem::absolute(load.directories[0]) / name;
  for (unsigned i = 0; i < stripes; ++i)
    if (const auto written = write_stripe(stripe_file(folder, manifest, i, {}), manifest, i, frame); !written)
      return written.error();
  std::ofstream file(folder / manifest_file_name, std::ios::binary);
  file << to_json_text(manifest);
  if (!file.flush()) return cannot_write(folder / manifest_file_name, directory_mend);
  return Result<std::filesystem::path>(boost::system::in_place_value, folder);
}

class DiskReader final : public LoadEnd {
public:
  static Result<std::unique_ptr<LoadEnd>> make(const LoadSpec& load) {
    const auto folder = prepare_store(load);
    if (!folder) return folder.error();
    auto store = OpenStore::open(*folder);
    if (!store) return store.error();
    const auto stripes = static_cast<unsigned>((*store)->stripes());
    const unsigned frames = std::max(4U, 2 * stripes);  // in flight: two on each stripe
    auto pool = FramePool::allocate(frames, (*store)->frame_bytes_max());
    if (!pool) return pool.error();
    std::unique_ptr<DiskReader> end(new DiskReader);
    end->cpu_ = cpu_of(load.sender_cpus, 0);
    end->store_ = std::move(*store);
    end->pool_ = std::move(*pool);
    const std::array memory{end->pool_->memory()};
    end->reader_ = StripeReader::create(frames, {load.block_kib << 10U, load.depth, false}, memory);
    return std::unique_ptr<LoadEnd>(std::move(end));
  }
  ~DiskReader() override { thread_ = {}; }
  DiskReader(const DiskReader&) = delete;
  DiskReader& operator=(const DiskReader&) = delete;

  Result<void> start() override {
    reader_->use(*store_);
    thread_ = start_thread("probe-read", cpu_, [this](const std::stop_token& stop) { read_on(stop); });
    return {};
  }
  std::vector<FlowReading> read() override {
    return {{{{"bytes", static_cast<double>(bytes_.load())},
              {"frames", static_cast<double>(frames_.load())},
              {"cpu_s", read_process_stats().cpu_s}},  // the kernel's workers belong to the process, not to a thread
             {}}};
  }
  std::optional<Error> failure() override {
    if (error_ == 0) return {};
    return Error{std::string("cannot read the test frames: ") + std::strerror(error_), "check the disk"};
  }
  std::vector<FlowFigures> finish() override {
    thread_ = {};
    return {{{"direct", store_->direct() ? 1.0 : 0.0}, {"stripes", static_cast<double>(store_->stripes())}}};
  }

private:
  DiskReader() = default;

  void read_on(const std::stop_token& stop) {
    std::array<ReadDone, 16> done;
    std::uint64_t next = 0;
    while (!stop.stop_requested() || reader_->under_way() > 0) {
      while (!stop.stop_requested()) {
        FrameBuffer* buffer = pool_->take();
        if (buffer == nullptr) break;
        reader_->start(store_->locate(static_cast<std::uint32_t>(next++ % store_->manifest().frame_count), {}),
                       *buffer);
      }
      const auto count = reader_->wait(done, read_wait_max);
      for (std::size_t i = 0; i < count; ++i) {
        if (done[i].error != 0)
          error_ = done[i].error;
        else
          bytes_ += store_->frame_bytes_max();  // it has one tile
        ++frames_;
        done[i].buffer->release();
      }
      if (error_ != 0 && reader_->under_way() == 0) return;
    }
  }

  int cpu_ = -1;
  std::shared_ptr<const OpenStore> store_;
  std::unique_ptr<FramePool> pool_;
  std::unique_ptr<StripeReader> reader_;  // destroyed first: its reads write into the pool
  std::atomic<std::uint64_t> bytes_{0}, frames_{0};
  std::atomic<int> error_{0};
  std::jthread thread_;
};

}  // namespace

Result<std::unique_ptr<LoadEnd>> make_disk_reader(const LoadSpec& load) { return DiskReader::make(load); }

}  // namespace lw
