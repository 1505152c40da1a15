// A media packet of a flow: RTP (RFC 3550) with the header extensions below and an RFC 4175 payload. docs/protocol.md
// describes it. Only this file knows the bytes: the sender's templates and the receiver's parser.
//
//   12  RTP fixed header: V=2, P if padding follows, X=1, M on the last packet of a frame,
//       payload type = pixel format
//    4  RFC 8285 one-byte extensions, 5 words:
//    9    element 1, RFC 6051: media time of the frame, 64-bit NTP
//   11    element 2, Lambdawall: frame number (32), generation (16), tick (16), header check (16)
//    2  RFC 4175: extended sequence number, the upper 16 bits
//    8  of a format that varies in length only: octets of the frame that are sent, packets before the frame (32 each)
//  n*6  RFC 4175 row headers: length, F|line, C|offset in pixels
//       pixels
//
// Row numbers are counted within the flow's band: a flow is a complete video stream.
//
// The header check is the Internet checksum (RFC 1071) of everything before the pixels. UDP's checksum does not detect
// changes by devices that compute it again, and a wrong number in a header would put pixels into another frame.
//
// A resent packet (RFC 4588) belongs to a separate stream, with the original's time, extensions and payload type + 16,
// and the original's sequence number in 2 bytes before the payload.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/pixel/pixel_format.h"
#include "common/wire/packet_slots.h"

#include <boost/endian/buffers.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lw {

namespace wire {

using boost::endian::big_uint16_buf_t;
using boost::endian::big_uint32_buf_t;
using boost::endian::big_uint64_buf_t;

struct RtpHeader {
  std::uint8_t version_padding_extension_count;  // V(2) P(1) X(1) CC(4)
  std::uint8_t marker_payload_type;              // M(1) PT(7)
  big_uint16_buf_t sequence;
  big_uint32_buf_t timestamp;
  big_uint32_buf_t ssrc;
};
static_assert(sizeof(RtpHeader) == 12 && alignof(RtpHeader) == 1);

struct FrameExtensions {
  big_uint16_buf_t profile;  // 0xBEDE
  big_uint16_buf_t words;    // 5
  std::uint8_t ntp_id_length;
  big_uint64_buf_t ntp;
  std::uint8_t frame_id_length;
  big_uint32_buf_t frame;
  big_uint16_buf_t generation;
  big_uint16_buf_t tick;
  big_uint16_buf_t check;
};
static_assert(sizeof(FrameExtensions) == 24 && alignof(FrameExtensions) == 1);

struct RowHeader {
  big_uint16_buf_t length;       // octets of this row in the packet
  big_uint16_buf_t field_line;   // F(1) line(15)
  big_uint16_buf_t more_offset;  // C(1) offset(15), in pixels

  [[nodiscard]] std::uint16_t line() const { return field_line.value() & number_mask; }
  [[nodiscard]] std::uint16_t pixel_offset() const { return more_offset.value() & number_mask; }

private:
  static constexpr std::uint16_t number_mask = 0x7fff;
};
static_assert(sizeof(RowHeader) == 6 && alignof(RowHeader) == 1);

// Of formats that vary in length, after the extended sequence number.
struct LengthHeader {
  big_uint32_buf_t used;
  big_uint32_buf_t packets_before;
};
static_assert(sizeof(LengthHeader) == 8 && alignof(LengthHeader) == 1);

inline constexpr std::uint8_t marker_bit = 0x80;          // of marker_payload_type
inline constexpr std::uint8_t ntp_extension_id = 1;       // urn:ietf:params:rtp-hdrext:ntp-64
inline constexpr std::uint8_t frame_extension_id = 2;     // urn:lambdawall:frame
inline constexpr std::uint8_t resend_payload_types = 16;  // added to the original's for resends
inline constexpr std::size_t resend_bytes = 2;            // added to a packet when it is resent
inline constexpr std::size_t sealed_bytes = 24;           // added when it is encrypted (common/srtp)
inline constexpr std::size_t fixed_bytes = sizeof(RtpHeader) + sizeof(FrameExtensions) + 2;
// All before the row headers.
inline std::size_t before_rows(PixelFormat format) {
  return fixed_bytes + (info(format).varies_in_length() ? sizeof(LengthHeader) : 0);
}
inline constexpr std::size_t before_rows_max = fixed_bytes + sizeof(LengthHeader);

}  // namespace wire

// The values that all packets of a frame have in common.
struct FrameStamp {
  WallTime media_time{};
  std::uint32_t frame = 0;       // of the visualization
  std::uint16_t generation = 0;  // grows with every change of what plays: load, seek, pause, rate, loop
  std::uint16_t tick = 0;        // grows by one with every frame sent to the wall, so that a lost frame is noticed
  // Of a band in a format that varies in length: its octets in use; 0 for other formats, whose bands are sent whole.
  std::uint32_t used = 0;
  // The same: packets of the stream before this frame that were sent, or should have been, plus one; 0: unknown. From
  // it, a receiver knows how many packets of frames were sent of which none arrived.
  std::uint32_t packets_before = 0;
  bool operator==(const FrameStamp&) const = default;
};

// A received packet whose bytes passed all checks. The spans point into it.
struct MediaPacket {
  std::uint16_t sequence = 0;
  std::uint16_t sequence_upper = 0;  // RTP extended sequence number of RFC 4175; other senders may leave it 0
  std::uint32_t timestamp = 0;
  std::uint32_t ssrc = 0;
  std::uint8_t payload_type = 0;
  bool marker = false;
  bool resent = false;                 // RFC 4588: sequence and payload type are the original's, ssrc is not
  std::uint16_t resend_sequence = 0;   // its number in the stream of resends
  std::optional<WallTime> media_time;  // RFC 6051
  std::optional<FrameStamp> stamp;     // element 2 (with media_time filled in)
  std::span<const wire::RowHeader> rows;
  std::span<const std::byte> pixels;  // of all rows, concatenated; as long as the row headers say

  // Whether it is the packet sent first in a frame, in whatever order they arrive.
  [[nodiscard]] bool begins_frame() const;
};

// Empty, or why a datagram is not a media packet. Checks lengths only against the packet itself; the assembler checks
// whether rows fit the band. (Fuzzed.)
std::string_view parse_media_packet(std::span<const std::byte> datagram, MediaPacket& out);

// The packets of every frame of a band, laid out once: sizes and rows are the same, only the stamps differ between
// frames. The sender stamps and sends them; the receiver learns from them what comes next and where it belongs.
class PacketTemplates {
public:
  // Small, because they are read together with a frame's pixels, and a frame has tens of thousands of them.
  struct Packet {
    std::uint32_t header_offset = 0;   // into headers()
    std::uint32_t pixel_offset = 0;    // into the band
    std::uint32_t constant_sum = 0;    // contribution of the header's constant bytes to its check
    std::uint32_t padding_before = 0;  // octets of padding of all packets before it
    std::uint16_t header_bytes = 0;
    std::uint16_t pixel_bytes = 0;
    std::uint16_t padding_bytes =
        0;  // after the pixels; makes all packets except the last the same size (RFC 3550 padding)

    [[nodiscard]] std::size_t bytes() const { return std::size_t{header_bytes} + pixel_bytes + padding_bytes; }
  };

  // For so many rows of pixel groups. An error if there is none, or if not even one group fits.
  static Result<PacketTemplates> lay_out(PixelFormat format, unsigned width, unsigned rows, const PacketCut& cut,
                                         std::uint32_t ssrc);

  [[nodiscard]] PixelFormat format() const { return format_; }
  [[nodiscard]] std::span<const Packet> packets() const { return packets_; }
  // How many of them a frame with this stamp has: the first ones.
  [[nodiscard]] std::size_t packets_of(const FrameStamp& frame) const { return packets_for(frame.used); }
  // So many as have octets of these; all for 0.
  [[nodiscard]] std::size_t packets_for(std::size_t used) const;
  [[nodiscard]] std::size_t datagram_bytes() const { return datagram_bytes_; }          // of all but the last packet
  [[nodiscard]] std::size_t payload_bytes_per_frame() const { return payload_bytes_; }  // RTP payload octets
  // Octets of `count` packets from `first` on, without visiting each: a flow counts every run it sends.
  struct Octets {
    std::size_t datagrams = 0;  // UDP payload
    std::size_t payload = 0;    // RTP payload, without padding (RFC 3550 section 6.4.1)
    std::size_t pixels = 0;
  };
  [[nodiscard]] Octets octets(std::size_t first, std::size_t count) const;
  [[nodiscard]] const std::byte* header(const Packet& packet) const { return headers_.data() + packet.header_offset; }
  // Directly after the header and before the next packet's header: for a gathering send, the two form one
  // piece.
  [[nodiscard]] const std::byte* padding(const Packet& packet) const { return header(packet) + packet.header_bytes; }

  // The packet whose pixels begin at this offset of the band, if any.
  [[nodiscard]] std::optional<std::size_t> starting_at(std::size_t pixel_offset) const;
  // The number of a packet whose pixels begin where one of these does; empty for another.
  [[nodiscard]] std::optional<std::size_t> number_of(const MediaPacket& packet) const;
  // Whether the received `header` (header_bytes long) is this packet's, with any stamp and SSRC. If so, fills in `out`
  // except its pixels, which the caller has.
  bool matches(const Packet& packet, const std::byte* header, MediaPacket& out) const;
  // Whether the received `header` is this packet's and continues the frame whose first header is `first`. The check for
  // most packets: it parses nothing.
  [[nodiscard]] bool continues(const Packet& packet, const std::byte* header, const std::byte* first,
                               std::uint32_t sequence) const;

  // Writes the part of a resent packet before its pixels, header_bytes + wire::resend_bytes. `original`: its extended
  // sequence number; ssrc and sequence belong to the stream of resends.
  std::size_t write_resend(const Packet& packet, const FrameStamp& frame, std::uint32_t original, std::uint32_t ssrc,
                           std::uint16_t sequence, std::span<std::byte> out) const;
  // Writes stamp and sequence numbers (sequence, +1, ...) into the headers of packets first, first + 1, ...: `count` of
  // them, or all that follow. Stamped one run at a time, they are still in the cache when they are sent.
  void stamp(const FrameStamp& frame, std::uint32_t sequence, std::size_t first = 0,
             std::size_t count = std::numeric_limits<std::size_t>::max());

  // Where each packet lies if the layout is slots; empty if it is rows.
  [[nodiscard]] const std::optional<PacketSlots>& slots() const { return slots_; }
  // The same for packets whose pixels lie in slots: writes everything around the pixels, stamped. `band`: its slots.
  void write_around(std::byte* band, const FrameStamp& frame, std::uint32_t sequence, std::size_t first,
                    std::size_t count) const;

private:
  struct CommonStamp;
  [[nodiscard]] std::size_t before_rows() const { return wire::before_rows(format_); }
  [[nodiscard]] bool varies() const { return info(format_).varies_in_length(); }
  // Of a frame in a format that varies in length.
  [[nodiscard]] bool is_last(const Packet& packet, std::size_t used) const {
    return packets_.data() + packets_for(used) == &packet + 1;
  }
  [[nodiscard]] bool has_first_octets(const Packet& packet, const std::byte* header) const;
  void add(const PixelFormatInfo& pixel, std::span<const wire::RowHeader> rows, std::size_t pixel_offset,
           std::size_t pixel_bytes, std::size_t padding_bytes, bool last, std::uint32_t ssrc);
  void cut_by_rows(const PixelFormatInfo& pixel, std::size_t row_size, std::size_t band_bytes, std::uint32_t ssrc);
  void cut_to_slots(const PixelFormatInfo& pixel, std::size_t row_size, std::uint32_t ssrc);

  PixelFormat format_ = PixelFormat::rgb8;
  std::size_t row_size_ = 0;
  std::vector<Packet> packets_;
  std::vector<std::byte> headers_;
  std::optional<PacketSlots> slots_;
  std::size_t datagram_bytes_ = 0;
  std::size_t payload_bytes_ = 0;
};

// UDP payload that fits an IP packet of `mtu` bytes.
std::size_t udp_payload_of_mtu(unsigned mtu, bool ipv6);

}  // namespace lw
