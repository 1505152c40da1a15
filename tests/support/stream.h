// The sending half: cuts frames into the server's packets, with parity, resends and encryption, and remembers the
// content of each frame.
#pragma once

#include "common/pixel/pixel_format.h"
#include "common/srtp/packet_sealer.h"
#include "common/wall/geometry.h"
#include "common/wire/media_packet.h"
#include "server/send/parity_encoder.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lw::truth {

using Bytes = std::vector<std::byte>;

enum class SentKind : std::uint8_t { media, parity, resend };

struct SentDatagram {
  Bytes bytes;
  std::size_t head_bytes = 0;  // covered by its own check, if it is not encrypted
  SentKind kind = SentKind::media;
  std::uint32_t ssrc = 0;      // of the flow's stream
  std::uint32_t sequence = 0;  // of media; of parity: of the last packet that it protects
  std::uint16_t number = 0;    // in the stream of parity or of resends
  std::uint32_t packet = 0;    // as `sequence`, but counts only numbers that belong to packets
};

struct SentFrame {
  FrameStamp stamp;
  PixelFormat format = PixelFormat::rgb8;
  std::uint32_t first_sequence = 0;
  Bytes pixels;
  Bytes rgb;  // what they are, if the format varies in length
};

class Stream {
public:
  Stream(const Wall& wall, const Band& band, const std::optional<MediaKey>& key, std::uint32_t ssrc,
         std::uint32_t first_sequence);

  // The frame's datagrams in the order of sending; parity, if wanted, comes last. Of a format that varies in length,
  // the stamp's `used` is set.
  std::vector<SentDatagram> cut(const FrameStamp& stamp, PixelFormat format, bool with_parity);
  // Empty if the packet does not belong to a remembered frame.
  std::optional<SentDatagram> resend(std::uint32_t sequence);
  [[nodiscard]] const SentFrame* find(std::uint32_t generation, std::uint16_t tick) const;
  Bytes sealed_rtcp(std::span<const std::byte> compound);
  [[nodiscard]] std::uint32_t ssrc() const { return ssrc_; }
  [[nodiscard]] const std::deque<SentFrame>& frames() const { return frames_; }

private:
  void lay_out(PixelFormat format);
  SentFrame made(const FrameStamp& stamp, PixelFormat format);
  Bytes sealed(Bytes packet);

  const unsigned width_;
  const RowRange rows_;  // of pixels
  const PacketCut cut_;
  const FecStrength strength_;
  const std::uint32_t ssrc_;
  std::uint32_t sequence_;
  std::uint32_t packets_before_ = 0;  // of the next frame
  std::uint16_t resends_ = 0;
  std::uint16_t parities_ = 0;
  std::optional<PacketSealer> sealer_;
  std::optional<PixelFormat> format_;
  PacketTemplates templates_;
  std::optional<ParityEncoder> parity_;
  std::deque<SentFrame> frames_;
};

}  // namespace lw::truth
