// The packets of a flow's frames: laid out once for a pixel format, then stamped and cut into runs for each frame, with
// parity if configured. One set of packets is enough without zero copy; with it, the kernel still reads headers and
// pixels of the previous frame. One thread (the flow's); allocates in lay_out only.
#pragma once

#include "common/net/datagram_sender.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/geometry.h"
#include "common/wall/tile_slots.h"
#include "common/wall/wall_file.h"
#include "common/wire/media_packet.h"
#include "server/read/frame_buffer.h"
#include "server/send/frame_counts.h"
#include "server/send/parity_encoder.h"
#include "server/send/stream_numbers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

class FramePackets {
public:
  FramePackets(const Wall& wall, const Band& band, const PacketCut& cut, const StreamNumbers& numbers, bool two_sets);
  ~FramePackets();
  FramePackets(const FramePackets&) = delete;
  FramePackets& operator=(const FramePackets&) = delete;

  // The kernel has completed `sends` zero-copy sends: releases buffers that it no longer reads.
  void let_go(std::uint64_t sends);
  // Whether this frame can be cut now. If not, the kernel still reads memory that this would change.
  [[nodiscard]] bool free_for(PixelFormat format, const FrameBuffer& buffer) const;
  [[nodiscard]] bool all_free() const;
  // Lays out the packets for another format. False if a packet cannot hold even one of its pixels.
  bool lay_out(PixelFormat format);
  [[nodiscard]] std::optional<PixelFormat> format() const { return format_; }
  // Of the newest frame.
  [[nodiscard]] const PacketTemplates& templates() const { return sets_[current_].templates; }
  // From now on in other streams; the packets must be laid out again.
  void begin_streams(const StreamNumbers& numbers);
  // How many numbers these frames use of the flow's stream, and of that of parity if each frame has parity. Modulo
  // 2^32.
  [[nodiscard]] std::uint32_t media_numbers(const FrameCounts& frames) const;
  [[nodiscard]] std::uint32_t parity_numbers(const FrameCounts& frames) const;
  // The flow's pixels in a frame of the current format.
  [[nodiscard]] BandPixels pixels_of(const FrameBuffer& buffer) const;

  // Whether a frame has parity, and its first number; empty: where the frame before ended.
  struct Parity {
    bool is_sent = false;
    std::optional<std::uint16_t> number = {};
  };
  // Octets of the flow's band that are sent, if the current format varies in length; else 0.
  [[nodiscard]] std::uint32_t used_of(const FrameBuffer& buffer) const;
  // A frame of the current format begins; its packets are numbered from `sequence` on.
  void begin(const FrameBuffer& buffer, const FrameStamp& stamp, std::uint32_t sequence, const Parity& parity);
  // How many of the frame's packets, from this one on, may form a run: those of a block, if the wall's packets lie in
  // slots, and either media or parity.
  [[nodiscard]] std::size_t run_most(std::size_t first) const;
  [[nodiscard]] std::size_t media_count() const { return media_count_; }
  [[nodiscard]] std::size_t total() const { return media_count() + (with_parity_ ? parity_->datagrams().size() : 0); }
  // How many numbers a frame of the current format takes: the packets of the longest. And these with parity, if the
  // newest frame has some.
  [[nodiscard]] std::size_t numbers() const { return templates().packets().size(); }
  [[nodiscard]] std::size_t total_max() const {
    return numbers() + (with_parity_ ? parity_of_[static_cast<std::size_t>(*format_)] : 0);
  }
  // How many packets in a row may be lost and still be recovered; empty without parity.
  [[nodiscard]] std::optional<std::size_t> longest_run() const;
  // Packets of the frame: either media or, after them, parity, never both. Valid until the next call.
  std::span<const DatagramPieces> run(std::size_t first, std::size_t count);
  // The frame's packets before this index, parity included, have been handed to the kernel.
  void sent(std::size_t packets);
  // The kernel reads the frame's buffer and headers until `until` sends have completed; then the buffer is released.
  void hold(FrameBuffer* buffer, std::uint64_t until);

private:
  std::span<const DatagramPieces> run_in_slots(std::size_t first, std::size_t count);
  struct Set {
    PacketTemplates templates;
    FrameBuffer* held = nullptr;   // the kernel may still read this
    std::uint64_t held_until = 0;  // the number of completed zero-copy sends after which it does not
  };

  const Band band_;
  const unsigned width_;
  const unsigned tile_height_;
  const unsigned bands_of_tile_;
  const PacketCut cut_;
  std::uint32_t ssrc_;
  // Of a frame, by format; 0: impossible.
  std::array<std::size_t, FrameCounts::formats> packets_of_{};
  std::array<std::size_t, FrameCounts::formats> parity_of_{};
  std::array<Set, 2> sets_;
  const std::size_t sets_used_;
  std::size_t current_ = 0;
  std::optional<PixelFormat> format_;
  std::optional<ParityEncoder> parity_;  // if the wall file has forward error correction
  bool parity_laid_out_ = false;         // for the current format
  bool with_parity_ = false;             // for the current frame
  std::size_t first_slot_ = 0;           // where the flow's slots begin in a frame of this format
  std::size_t media_count_ = 0;          // of the current frame
  std::byte* slots_ = nullptr;           // of the current frame's band; null: it lies in rows
  BandPixels pixels_;                    // of the current frame's band
  FrameStamp stamp_;
  std::uint32_t sequence_ = 0;
  std::array<DatagramPieces, DatagramSender::run_packets_max> run_;
};

}  // namespace lw
