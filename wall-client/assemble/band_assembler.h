// Puts the pixels of a flow's packets into their place in the band's buffer, and reports when a band is complete or
// must be dropped. Contains no socket and no clock: packets and times are passed in, so that tests can play any order
// of arrival.
//
// One thread (the flow's). Buffers come from the caller's memory and go to the presenter inside a ReceivedBand; the
// presenter's give_back() must reach this object on the flow's thread.
#pragma once

#include "common/metrics/flow_stats.h"
#include "common/metrics/sequence_tracker.h"
#include "common/pixel/lossless_band.h"
#include "common/wire/media_packet.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/assemble/coverage.h"
#include "wall-client/assemble/pixel_copies.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

struct BandGeometry {
  unsigned flow = 0;
  unsigned width = 0;      // pixels of the tile
  unsigned first_row = 0;  // of the band in its tile
  unsigned rows = 0;

  // The rows of pixel groups that it carries.
  [[nodiscard]] RowRange rows_in(PixelFormat format) const { return group_rows(format, {first_row, rows}); }
};

// What happened to a packet. received = used + duplicates + late + invalid.
enum class PacketFate : std::uint8_t { used, duplicate, late, invalid };

class BandAssembler {
public:
  // `memory` holds `buffers` bands of the largest format (band_memory_bytes apart: common/wall/tile_slots.h) and must
  // outlive this object. At most `open_max` frames are in flight at once: see client_bands_open. If the flow's packets
  // have slots, its bands lie in these.
  BandAssembler(const BandGeometry& geometry, const PacketCut& cut, std::byte* memory, unsigned buffers,
                std::size_t open_max);

  // Places a packet of the flow's stream that the sequence tracker has not seen before. `arrival` serves as the media
  // time for senders that do not provide one. With `copies`, its pixels count as arrived, but move when those are made.
  PacketFate place(const MediaPacket& packet, WallTime arrival, PixelCopies* copies = nullptr);
  // For receiving in place: the memory of the band with this RTP timestamp while it is open, and of the buffer that the
  // next band will use; nullptr if there is none.
  [[nodiscard]] std::byte* memory_of(std::uint32_t timestamp) const;
  [[nodiscard]] std::byte* next_memory() const { return free_.empty() ? nullptr : memory(free_.back()); }
  // Bytes [first, last) of an open band, complete pixel groups, have arrived and are already in their place.
  void take_in_place(std::uint32_t timestamp, std::size_t first, std::size_t last);
  // The same for bytes that were lost and have been rebuilt.
  void take_rebuilt(std::uint32_t timestamp, std::size_t first, std::size_t last);
  // Which pixel groups of an open band have arrived; nullptr if it is not open. These must not be overwritten.
  [[nodiscard]] const Coverage* coverage_of(std::uint32_t timestamp) const;
  // Whether all, or any, of the bytes [first, last) of an open band have arrived; false for a finished band.
  [[nodiscard]] bool has_all(std::uint32_t timestamp, std::size_t first, std::size_t last) const;
  [[nodiscard]] bool has_any(std::uint32_t timestamp, std::size_t first, std::size_t last) const;
  // Of an open band; empty if it is not open.
  [[nodiscard]] std::optional<PixelFormat> format_of(std::uint32_t timestamp) const;
  // Of an open band; empty if it is not open, or its packets carry none.
  [[nodiscard]] std::optional<FrameStamp> stamp_of(std::uint32_t timestamp) const;
  // The source disappeared or was replaced: drops the open bands.
  void reset();

  // The next finished band: complete, or dropped because `deadline_passed(media_time)` or because newer frames need
  // its place. Call until empty after each batch of packets. The caller owns the band's buffer until it calls
  // give_back.
  template <class DeadlinePassed>
  std::optional<ReceivedBand> take_finished(DeadlinePassed deadline_passed) {
    for (auto& band : open_)
      if (band.in_use && (is_whole(band) || band.abandoned || deadline_passed(band.media_time))) return finish(band);
    return std::nullopt;
  }
  // The earliest `deadline(media_time)` of the open bands; WallTime::max() if there are none.
  template <class Deadline>
  [[nodiscard]] WallTime next_deadline(Deadline deadline) const {
    auto earliest = WallTime::max();
    for (const auto& band : open_)
      if (band.in_use) earliest = std::min(earliest, deadline(band.media_time));
    return earliest;
  }
  void give_back(unsigned buffer);

  [[nodiscard]] std::uint64_t bands_whole() const { return bands_whole_; }
  [[nodiscard]] std::uint64_t bands_incomplete() const { return bands_incomplete_; }
  [[nodiscard]] std::uint64_t bands_dropped() const { return bands_dropped_; }
  // True if the packet placed last found all places in use: get the oldest from take_finished, then place it again.
  [[nodiscard]] bool must_make_room() const { return must_make_room_; }

private:
  struct OpenBand {
    bool in_use = false;
    bool abandoned = false;
    std::uint32_t timestamp = 0;
    WallTime media_time{};
    WallTime arrived{};
    WallTime first_arrived{};
    FrameStamp stamp;
    bool has_stamp = false;
    std::uint32_t stream = 0;
    PixelFormat format = PixelFormat::rgb8;
    std::size_t groups = 0;  // of the format, in the band, that are used
    unsigned buffer = 0;
    bool repaired = false;
    Coverage coverage;

    explicit OpenBand(std::size_t groups_max) : coverage(groups_max) {}
  };

  OpenBand* find(std::uint32_t timestamp);
  [[nodiscard]] const OpenBand* wanted(std::uint32_t timestamp) const;  // null if it takes no more packets
  OpenBand* open(const MediaPacket& packet, PixelFormat format, WallTime arrival);
  void begin(OpenBand& band, const MediaPacket& packet, PixelFormat format, WallTime arrival);
  [[nodiscard]] bool is_over(std::uint32_t timestamp) const;
  [[nodiscard]] bool fits(const MediaPacket& packet, PixelFormat format) const;
  ReceivedBand finish(OpenBand& band);
  void copy_rows(const MediaPacket& packet, OpenBand& band, PixelCopies* copies);
  [[nodiscard]] std::size_t groups_per_row(PixelFormat format) const {
    return row_bytes(format, geometry_.width) / info(format).group_bytes;
  }
  [[nodiscard]] bool is_whole(const OpenBand& band) const { return band.coverage.all(0, band.groups); }
  void mark_whole_rows(const OpenBand& band, RowRange rows, std::vector<std::uint64_t>& present);
  std::optional<std::size_t> mark_chunk_rows(const OpenBand& band, RowRange rows, std::vector<std::uint64_t>& present);
  bool read_table(const OpenBand& band, unsigned rows, std::size_t first);

  [[nodiscard]] std::byte* memory(unsigned buffer) const { return memory_ + buffer * stride_; }
  // In which the bands of a format lie; null: in rows.
  [[nodiscard]] const PacketSlots* slots_of(PixelFormat format) const {
    const auto& slots = slots_[static_cast<std::size_t>(format)];
    return slots ? &*slots : nullptr;
  }

  const BandGeometry geometry_;
  std::byte* const memory_;
  const std::size_t stride_;
  std::array<std::optional<PacketSlots>, all_pixel_formats.size()> slots_;  // by format
  std::vector<unsigned> free_;                                              // unused buffers
  std::vector<std::vector<std::uint64_t>> rows_present_;  // per buffer: a bit per row, set when the band is finished
  std::vector<OpenBand> open_;
  // Timestamps of the newest finished frames: a packet of one of them is late.
  std::array<std::uint32_t, 64> over_{};
  std::size_t over_count_ = 0;
  std::uint32_t stream_ = 0;
  std::uint64_t bands_whole_ = 0;
  std::uint64_t bands_incomplete_ = 0;
  std::uint64_t bands_dropped_ = 0;
  LosslessTable table_;
  std::vector<std::byte> table_bytes_;
  std::optional<std::uint32_t> dropping_;  // timestamp of the frame for which there was no buffer
  bool must_make_room_ = false;
};

}  // namespace lw
