// The packets of a flow's frames: laid out once for a pixel format, stamped and cut into runs for each frame; and its
// parity, where that is wanted. Without zero copy one set is enough; with it the kernel still reads headers and pixels
// of the frame before. One thread (the flow's); allocates in lay_out only.
#pragma once

#include "common/net/datagram_sender.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/media_packet.h"
#include "server/read/frame_buffer.h"
#include "server/send/parity_encoder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

class FramePackets {
public:
  // Packets of at most `udp_payload_bytes`, of the stream `ssrc`; its parity is the stream `parity_ssrc`.
  FramePackets(const Wall& wall, const Band& band, std::size_t udp_payload_bytes, std::uint32_t ssrc,
               std::uint32_t parity_ssrc, bool two_sets);
  ~FramePackets();
  FramePackets(const FramePackets&) = delete;
  FramePackets& operator=(const FramePackets&) = delete;

  // The kernel is done with `sends` zero-copy sends: buffers that it does not read any more are released.
  void let_go(std::uint64_t sends);
  // Whether a frame of this format can be cut now. Else the kernel still reads what that would change.
  [[nodiscard]] bool free_for(PixelFormat format) const;
  [[nodiscard]] bool all_free() const;
  // Lays the packets out for another format. False where no packet can hold one of its pixels.
  bool lay_out(PixelFormat format);
  [[nodiscard]] std::optional<PixelFormat> format() const { return format_; }
  // Of the newest frame.
  [[nodiscard]] const PacketTemplates& templates() const { return sets_[current_].templates; }
  // Where the flow's pixels begin in a frame.
  [[nodiscard]] std::size_t band_offset(PixelFormat format) const;

  // A frame of the present format begins; its packets have numbers from `sequence` on.
  void begin(const FrameBuffer& buffer, const FrameStamp& stamp, std::uint32_t sequence, bool with_parity);
  [[nodiscard]] std::size_t media_count() const { return templates().packets().size(); }
  [[nodiscard]] std::size_t total() const { return media_count() + (with_parity_ ? parity_->datagrams().size() : 0); }
  // How many packets in a row may be lost and still be recovered; empty without parity.
  [[nodiscard]] std::optional<std::size_t> longest_run() const;
  // The frame's packets: of the media, or behind that of the parity, never both. Valid until the next call.
  std::span<const DatagramPieces> run(std::size_t first, std::size_t count);
  // The media's packets up to this one have left.
  void sent(std::size_t packets);
  // The kernel reads the frame's buffer and headers until so many sends are done; the buffer is released then.
  void hold(FrameBuffer* buffer, std::uint64_t until);

private:
  struct Set {
    PacketTemplates templates;
    FrameBuffer* held = nullptr;   // that the kernel may still read,
    std::uint64_t held_until = 0;  // until so many zero-copy sends are done
  };

  const Band band_;
  const unsigned width_;
  const std::size_t udp_payload_bytes_;
  const std::uint32_t ssrc_;
  std::array<Set, 2> sets_;
  const std::size_t sets_used_;
  std::size_t current_ = 0;
  std::optional<PixelFormat> format_;
  std::optional<ParityEncoder> parity_;  // where the wall file has forward error correction
  bool parity_laid_out_ = false;         // for the present format
  bool with_parity_ = false;             // the present frame
  const std::byte* pixels_ = nullptr;    // of the present frame's band
  FrameStamp stamp_;
  std::uint32_t sequence_ = 0;
  std::array<DatagramPieces, DatagramSender::run_packets_max> run_;
};

}  // namespace lw
