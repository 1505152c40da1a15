#include "tests/simulate/disk.h"

#include "common/pixel/lossless_band.h"
#include "common/wall/tile_slots.h"

#include <cerrno>
#include <utility>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

// A tile's frame of `lossless`: the rows of each band, compressed.
void compress(std::span<const std::byte> rgb, unsigned width, unsigned height, unsigned bands, std::byte* out) {
  static LosslessEncoder encoder;
  const auto row = row_bytes(PixelFormat::lossless, width);
  unsigned first = 0;
  for (unsigned band = 0; band < bands; ++band) {
    const auto rows = band_height(height, bands, band);
    encoder.encode(rgb.data() + std::size_t{first} * width * 3, std::size_t{width} * 3, width, rows,
                   {out + first * row, rows * row});
    first += rows;
  }
}

}  // namespace

bool SimReader::start(const FrameExtent& extent, FrameBuffer& buffer) {
  if (under_way_ == reads_max_) return false;
  ++under_way_;
  // The buffer's tile and frame are valid only after this has returned: they are read when the request ends.
  auto takes = disk_.latency + std::exchange(disk_.next_read, {});
  if (disk_.jitter > Nanoseconds{0})
    takes += Nanoseconds{static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(disk_.jitter.count())))};
  const Read read{extent, &buffer, content_.at(extent.fd, extent.offset, extent.needed / 2)};
  timeline_.at(timeline_.now().wall + takes, [this, read, alive = alive_] {
    if (*alive) end(read);
  });
  return true;
}

void SimReader::end(const Read& read) {
  if (disk_.hangs) {
    timeline_.at(timeline_.now().wall + 5ms, [this, read, alive = alive_] {
      if (*alive) end(read);
    });
    return;
  }
  auto& buffer = *read.buffer;
  const auto& extent = read.extent;
  const auto half = extent.needed / 2;
  const auto* last_half = content_.at(extent.fd, extent.offset + half, extent.needed - half);
  bool fails = disk_.fails > 0 && static_cast<double>(random_.below(1'000'000)) < disk_.fails * 1e6;
  fails = fails || read.first_half == nullptr || last_half == nullptr;
  const auto& place = wall_.tile(buffer.tile).place;
  const bool compressed = info(buffer.format).varies_in_length();
  const auto row = row_bytes(compressed ? PixelFormat::rgb8 : buffer.format, place.width);
  const auto own = buffer.in_slots ? tile_slots(wall_, buffer.tile, buffer.format) : std::nullopt;
  const auto* const slots = own ? &*own : buffer.read_in_slots;
  std::byte* const pixels = slots != nullptr ? buffer.data + slots->memory_bytes() - slots->frame_bytes() : buffer.data;
  const auto rows = group_rows(buffer.format, place.height);
  if (compressed) rgb_.resize(row * rows);
  std::byte* const painted = compressed ? rgb_.data() : pixels;
  for (unsigned y = 0; y < rows && !fails; ++y) {
    const auto& version = y < rows / 2 ? *read.first_half : *last_half;
    paint_row(version, buffer.frame, buffer.tile, y, {painted + y * row, row});
  }
  if (compressed && !fails) compress(rgb_, place.width, place.height, wall_.streaming.flows_per_tile, pixels);
  if (slots != nullptr) slots->open_up(buffer.data);
  done_.push_back({&buffer, !extent.is_unchanged() ? file_changed : fails ? EIO : 0});
  on_end_();
}

std::size_t SimReader::wait(std::span<ReadDone> done, Nanoseconds /*timeout*/) {
  std::size_t count = 0;
  for (; count < done.size() && !done_.empty(); ++count) {
    done[count] = done_.front();
    done_.pop_front();
    --under_way_;
  }
  return count;
}

}  // namespace lw::simulate
