#include "wall-client/assemble/band_assembler.h"

#include "common/base/cache_lines.h"
#include "common/wall/tile_slots.h"
#include "common/wire/ntp_time.h"
#include "common/wire/sequence.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

// A band's memory is not in the cache. The pixels of the next packet probably belong behind those of this one: while it
// is decrypted and parsed, their lines are fetched.
constexpr std::size_t prefetched_max = 2048;

// Of the formats with the smallest.
std::size_t groups_max(const BandGeometry& geometry) {
  return std::max(
      std::size_t{geometry.width} * geometry.rows,
      frame_bytes(PixelFormat::lossless, geometry.width, geometry.rows) / info(PixelFormat::lossless).group_bytes);
}

}  // namespace

BandAssembler::BandAssembler(const BandGeometry& geometry, const PacketCut& cut, std::byte* memory, unsigned buffers,
                             std::size_t open_max)
    : geometry_(geometry),
      memory_(memory),
      stride_(band_memory_bytes(geometry.width, geometry.rows, cut)),
      rows_present_(buffers, std::vector<std::uint64_t>((geometry.rows + 63) / 64)),
      open_(open_max, OpenBand(groups_max(geometry))),
      table_bytes_(lossless_table_bytes(geometry.rows)) {
  table_.reserve(geometry.rows);
  free_.reserve(buffers);
  for (unsigned i = 0; i < buffers; ++i) free_.push_back(i);
  for (std::size_t i = 0; i < slots_.size(); ++i)
    slots_[i] = PacketSlots::of(all_pixel_formats[i], geometry.width, geometry.rows_in(all_pixel_formats[i]).count,
                                cut.slot_bytes());
}

PacketFate BandAssembler::place(const MediaPacket& packet, WallTime arrival, PixelCopies* copies) {
  must_make_room_ = false;
  const auto format = pixel_format_of_payload_type(packet.payload_type);
  if (!format || !fits(packet, *format)) return PacketFate::invalid;
  OpenBand* band = find(packet.timestamp);
  if (band == nullptr) {
    if (is_over(packet.timestamp) || dropping_ == packet.timestamp) return PacketFate::late;
    band = open(packet, *format, arrival);
    if (band == nullptr) return PacketFate::late;
  }
  if (band->abandoned) return PacketFate::late;
  if (packet.stamp && packet.media_time && !band->has_stamp) begin(*band, packet, *format, arrival);
  // Frames with the same media time are never mixed.
  if (band->format != *format || band->has_stamp != packet.stamp.has_value() ||
      (packet.stamp && *packet.stamp != band->stamp))
    return PacketFate::invalid;
  band->repaired |= packet.resent;
  if (!packet.resent && packet.begins_frame()) band->first_arrived = arrival;
  copy_rows(packet, *band, copies);
  return PacketFate::used;
}

BandAssembler::OpenBand* BandAssembler::find(std::uint32_t timestamp) {
  for (auto& band : open_)
    if (band.in_use && band.timestamp == timestamp) return &band;
  return nullptr;
}

const BandAssembler::OpenBand* BandAssembler::wanted(std::uint32_t timestamp) const {
  for (const auto& band : open_)
    if (band.in_use && !band.abandoned && band.timestamp == timestamp) return &band;
  return nullptr;
}

bool BandAssembler::is_over(std::uint32_t timestamp) const {
  const auto known = std::min(over_count_, over_.size());
  return std::find(over_.begin(), over_.begin() + static_cast<std::ptrdiff_t>(known), timestamp) !=
         over_.begin() + static_cast<std::ptrdiff_t>(known);
}

// Takes a place among the open bands. If all are in use, the oldest must be dropped first.
BandAssembler::OpenBand* BandAssembler::open(const MediaPacket& packet, PixelFormat format, WallTime arrival) {
  const auto place = std::ranges::find(open_, false, &OpenBand::in_use);
  if (place == open_.end()) {
    const auto oldest = std::ranges::min_element(
        open_, {}, [&](const OpenBand& band) { return timestamp_distance(packet.timestamp, band.timestamp); });
    oldest->abandoned = true;
    must_make_room_ = true;
    return nullptr;
  }
  if (free_.empty()) {
    ++bands_dropped_;
    dropping_ = packet.timestamp;
    return nullptr;
  }
  place->in_use = true;
  place->buffer = free_.back();
  free_.pop_back();
  begin(*place, packet, format, arrival);
  return &*place;
}

// Also for a band opened by a packet without a stamp: the check of a header comes with the stamp, so nothing had proved
// that packet's header.
void BandAssembler::begin(OpenBand& band, const MediaPacket& packet, PixelFormat format, WallTime arrival) {
  band.abandoned = band.repaired = false;
  band.coverage.clear();
  band.timestamp = packet.timestamp;
  band.media_time = packet.media_time.value_or(arrival);
  band.arrived = arrival;
  band.first_arrived = {};
  band.has_stamp = packet.stamp.has_value();
  band.stream = stream_;
  band.stamp = packet.stamp.value_or(FrameStamp{});
  band.format = format;
  band.groups = groups_per_row(format) * geometry_.rows_in(format).count;
  if (band.stamp.used > 0) band.groups = std::min<std::size_t>(band.groups, band.stamp.used / info(format).group_bytes);
}

// Whether every row piece is within the band, on pixel group boundaries.
bool BandAssembler::fits(const MediaPacket& packet, PixelFormat format) const {
  const auto& pixel = info(format);
  if (!has_groups(format, geometry_.width)) return false;
  const std::size_t row_size = row_bytes(format, geometry_.width);
  const auto rows = geometry_.rows_in(format).count;
  if (pixel.varies_in_length() && (!packet.stamp || packet.stamp->used > row_size * rows)) return false;
  for (const auto& row : packet.rows) {
    const unsigned line = row.line();
    const unsigned offset = row.pixel_offset();
    const std::size_t length = row.length.value();
    if (line >= rows || offset % pixel.group_pixels != 0 || length % pixel.group_bytes != 0) return false;
    if (std::size_t{offset} / pixel.group_pixels * pixel.group_bytes + length > row_size) return false;
  }
  return true;
}

void BandAssembler::copy_rows(const MediaPacket& packet, OpenBand& band, PixelCopies* copies) {
  const auto& pixel = info(band.format);
  const auto row_groups = groups_per_row(band.format);
  const auto* const slots = slots_of(band.format);
  std::byte* const to = memory(band.buffer);
  const std::byte* from = packet.pixels.data();
  for (const auto& row : packet.rows) {
    const std::size_t line = row.line();
    const std::size_t first = line * row_groups + row.pixel_offset() / pixel.group_pixels;
    const std::size_t length = row.length.value();
    const auto copy = [&](std::byte* place, std::size_t bytes) {
      if (copies != nullptr) {
        copies->add(place, from, bytes);
      } else if (place != from) {  // else the kernel has put it in place
        std::memcpy(place, from, bytes);
        prefetch_lines(place + bytes, std::min(bytes, prefetched_max));
      }
      from += bytes;
    };
    const auto offset = first * pixel.group_bytes;
    if (slots == nullptr)
      copy(to + offset, length);
    else
      slots->for_each_piece(offset, offset + length,
                            [&](std::size_t, std::size_t place, std::size_t bytes) { copy(to + place, bytes); });
    band.coverage.add(first, first + length / pixel.group_bytes);
  }
}

std::byte* BandAssembler::memory_of(std::uint32_t timestamp) const {
  const auto* band = wanted(timestamp);
  return band != nullptr ? memory(band->buffer) : nullptr;
}

void BandAssembler::take_in_place(std::uint32_t timestamp, std::size_t first, std::size_t last) {
  OpenBand* const found = find(timestamp);
  assert(found != nullptr && first < last);
  const auto group_bytes = info(found->format).group_bytes;
  found->coverage.add(first / group_bytes, last / group_bytes);
}

void BandAssembler::take_rebuilt(std::uint32_t timestamp, std::size_t first, std::size_t last) {
  take_in_place(timestamp, first, last);
  find(timestamp)->repaired = true;
}

const Coverage* BandAssembler::coverage_of(std::uint32_t timestamp) const {
  const auto* band = wanted(timestamp);
  return band != nullptr ? &band->coverage : nullptr;
}

bool BandAssembler::has_all(std::uint32_t timestamp, std::size_t first, std::size_t last) const {
  const auto* band = wanted(timestamp);
  if (band == nullptr) return false;
  const auto group_bytes = info(band->format).group_bytes;
  return band->coverage.all(first / group_bytes, last / group_bytes);
}

bool BandAssembler::has_any(std::uint32_t timestamp, std::size_t first, std::size_t last) const {
  const auto* band = wanted(timestamp);
  if (band == nullptr) return false;
  const auto group_bytes = info(band->format).group_bytes;
  return band->coverage.any(first / group_bytes, last / group_bytes);
}

std::optional<PixelFormat> BandAssembler::format_of(std::uint32_t timestamp) const {
  const auto* band = wanted(timestamp);
  return band != nullptr ? std::optional(band->format) : std::nullopt;
}

std::optional<FrameStamp> BandAssembler::stamp_of(std::uint32_t timestamp) const {
  const auto* band = wanted(timestamp);
  return band == nullptr || !band->has_stamp ? std::nullopt : std::optional(band->stamp);
}

void BandAssembler::mark_whole_rows(const OpenBand& band, RowRange rows, std::vector<std::uint64_t>& present) {
  const auto row_groups = groups_per_row(band.format);
  for (unsigned row = 0; row < rows.count; ++row)
    if (band.coverage.all(row * row_groups, (row + 1) * row_groups)) mark_rows(present, row, 1);
}

// A chunk gives its rows if all of it has arrived, and either table, which says where it is. Returns where that is.
std::optional<std::size_t> BandAssembler::mark_chunk_rows(const OpenBand& band, RowRange rows,
                                                          std::vector<std::uint64_t>& present) {
  std::size_t table = 0;
  if (!read_table(band, rows.count, table)) {
    table = lossless_second_table(rows.count, band.stamp.used);
    if (table == 0 || !read_table(band, rows.count, table)) return std::nullopt;
  }
  const std::size_t group = info(band.format).group_bytes;
  for (const auto& chunk : table_.chunks()) {
    if (band.coverage.all(chunk.offset / group, (chunk.offset + chunk.bytes + group - 1) / group))
      mark_rows(present, chunk.first_row, chunk.rows);
  }
  return table;
}

bool BandAssembler::read_table(const OpenBand& band, unsigned rows, std::size_t first) {
  const auto bytes = lossless_table_bytes(rows);
  const std::size_t group = info(band.format).group_bytes;
  if (!band.coverage.all(first / group, (first + bytes + group - 1) / group)) return false;
  BandPixels(memory(band.buffer), slots_of(band.format)).copy(first, bytes, table_bytes_.data());
  return table_.read(std::span(table_bytes_).first(bytes), geometry_.width, rows, band.stamp.used);
}

ReceivedBand BandAssembler::finish(OpenBand& band) {
  const bool whole = is_whole(band);
  const auto rows = geometry_.rows_in(band.format);
  std::optional<std::size_t> table;
  auto& present = rows_present_[band.buffer];
  const auto bytes = band.coverage.count() * info(band.format).group_bytes;
  if (!whole) {
    std::ranges::fill(present, 0U);
    if (info(band.format).varies_in_length())
      table = mark_chunk_rows(band, rows, present);
    else
      mark_whole_rows(band, rows, present);
  }
  ++(whole ? bands_whole_ : bands_incomplete_);
  over_[over_count_++ % over_.size()] = band.timestamp;
  band.in_use = false;

  ReceivedBand result;
  result.flow = geometry_.flow;
  result.buffer = band.buffer;
  result.pixels = {memory(band.buffer), slots_of(band.format)};
  result.format = band.format;
  result.first_row = rows.first;
  result.rows = rows.count;
  result.media_time = band.media_time;
  result.frame = band.stamp.frame;
  result.generation = band.stamp.generation;
  result.tick = band.stamp.tick;
  result.has_stamp = band.has_stamp;
  result.stream = band.stream;
  result.whole = whole;
  result.repaired = band.repaired;
  result.arrived = band.arrived;
  result.first_arrived = band.first_arrived;
  result.bytes = static_cast<std::uint32_t>(bytes);
  result.rows_present = present.data();
  result.used = band.stamp.used;
  result.table = table;
  return result;
}

void BandAssembler::reset() {
  for (auto& band : open_)
    if (band.in_use) band.abandoned = true;
  ++stream_;
  over_count_ = 0;
  dropping_.reset();
}

void BandAssembler::give_back(unsigned buffer) {
  assert(std::ranges::find(free_, buffer) == free_.end());
  free_.push_back(buffer);
}

}  // namespace lw
