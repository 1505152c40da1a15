#include "wall-client/display/capture/dump.h"

#include "common/base/cannot_write.h"

#include <fmt/format.h>
#include <png.h>
#include <spdlog/spdlog.h>

#include <bit>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace lw {
namespace {

constexpr std::size_t queued_bytes_max = std::size_t{256} << 20U;  // but always one image

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Errors are reported by our own text: libpng would print its own.
[[noreturn]] void leave(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void say_nothing(png_structp, png_const_charp) {}

// libpng reports errors by longjmp: this function must not contain anything with a destructor.
bool encode_png(std::FILE* file, const Picture& picture) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, say_nothing);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  const std::size_t row_size = std::size_t{picture.width} * 3 * (picture.sixteen_bits ? 2 : 1);
  png_init_io(png, file);
  png_set_compression_level(png, 1);
  png_set_filter(png, 0, PNG_FILTER_SUB);
  png_set_IHDR(png, info, picture.width, picture.height, picture.sixteen_bits ? 16 : 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (picture.sixteen_bits && std::endian::native == std::endian::little) png_set_swap(png);
  for (unsigned row = 0; row < picture.height; ++row)
    png_write_row(png, reinterpret_cast<png_const_bytep>(picture.pixels.data() + row * row_size));
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

Result<void> write_png(const Picture& picture, const std::filesystem::path& file) {
  std::unique_ptr<std::FILE, CloseFile> out(std::fopen(file.c_str(), "wb"));
  if (!out) return cannot_write(file, "give --dump a directory that can be written");
  errno = 0;
  if (!encode_png(out.get(), picture) || std::fflush(out.get()) != 0)
    return Error{"cannot write " + file.string() + ": " + (errno != 0 ? std::strerror(errno) : "it cannot be encoded"),
                 "free some space on the disk"};
  return {};
}

Result<std::unique_ptr<FrameDump>> FrameDump::open(const std::filesystem::path& directory) {
  std::unique_ptr<FrameDump> dump(new FrameDump(directory));
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  dump->shown_.open(directory / "shown.ndjson");
  if (!dump->shown_)
    return Error{"cannot write " + (directory / "shown.ndjson").string(),
                 "give --dump a directory that can be written"};
  dump->thread_ = std::thread([raw = dump.get()] { raw->run(); });
  return dump;
}

FrameDump::~FrameDump() {
  const auto closed = close();
  if (!closed && !told_) spdlog::error("the dump is not complete: {}", closed.error().text());
}

Result<void> FrameDump::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (!error_) return {};
  return *error_;
}

Result<void> FrameDump::add(const SwapRecord& record, Picture picture) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return queue_.empty() || queued_bytes_ + picture.pixels.size() <= queued_bytes_max || error_; });
  if (error_) {
    told_ = true;
    return *error_;
  }
  queued_bytes_ += picture.pixels.size();
  queue_.push_back({record, std::move(picture)});
  changed_.notify_all();
  return {};
}

void FrameDump::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !queue_.empty() || closing_; });
    if (queue_.empty()) return;
    const Item item = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    auto written = write(item);
    lock.lock();
    queued_bytes_ -= item.picture.pixels.size();
    if (!written) error_ = written.error();
    changed_.notify_all();
    if (error_) return;
  }
}

Result<void> FrameDump::write(const Item& item) {
  const auto& record = item.record;
  const auto folder = directory_ / record.tile.name;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (auto written = write_png(item.picture, folder / fmt::format("{:08}.png", record.frame)); !written) return written;
  const auto tile = record.tile.by_name ? fmt::format("\"{}\"", record.tile.name)
                                        : fmt::format("[{},{}]", record.tile.cell.column, record.tile.cell.row);
  shown_ << fmt::format("{{\"tile\":{},\"frame\":{},\"pts_ns\":{},\"swap_ns\":{},\"system_ns\":{},\"whole\":{}}}\n",
                        tile, record.frame, record.pts.time_since_epoch().count(),
                        record.swap.time_since_epoch().count(), record.system_swap.time_since_epoch().count(),
                        record.whole);
  shown_.flush();
  if (!shown_) return Error{"cannot write " + (directory_ / "shown.ndjson").string(), "free some space on the disk"};
  return {};
}

}  // namespace lw
