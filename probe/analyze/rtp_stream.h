// The losses and the timing of one RTP stream in a capture, from any sender. The 32-bit sequence number of our own
// packets is used if present. docs/probe.md defines each figure.
#pragma once

#include "common/metrics/jitter.h"
#include "common/metrics/packet_spacing.h"
#include "common/metrics/sequence_tracker.h"
#include "probe/analyze/udp_datagram.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

// The fields of a datagram that identify an RTP stream; empty if it is not RTP. RTCP (RFC 5761) does not count as RTP.
struct RtpPacket {
  std::uint32_t ssrc = 0;
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;
  std::uint8_t payload_type = 0;
  bool marker = false;
  std::optional<std::uint32_t> extended_sequence;  // of our own packets
};
std::optional<RtpPacket> rtp_in(const UdpDatagram& datagram);

// Ticks per second of the RTP timestamp: by RFC 3551 for static payload types, else 90 kHz, as for all video.
std::uint32_t clock_rate_of(std::uint8_t payload_type);

struct Quantiles {
  double p50 = 0, p99 = 0, max = 0;
};

struct RtpFigures {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  // UDP payload
  std::uint8_t payload_type = 0;
  std::uint32_t clock_hz = 0;
  std::uint64_t lost = 0, loss_runs = 0, loss_run_max = 0, duplicates = 0, reordered = 0;
  double duration_s = 0;                                           // from the first packet to the last
  std::optional<double> gbit_per_s;                                // of bytes, over that time
  std::optional<double> jitter_us, jitter_us_mean, jitter_us_max;  // RFC 3550 over all packets, as in Wireshark
  // Over the first packets of frames that arrived and can be identified. Packets with one timestamp form a frame.
  std::uint64_t frames = 0;
  std::optional<double> frame_jitter_us;
  std::optional<double> frame_interval_us_min, frame_interval_us_mean, frame_interval_us_max;
  std::optional<Quantiles> pdv_us;  // RFC 5481: above the minimum
  // For frames of several packets that follow a period.
  std::optional<SpacingModel> spacing_model;
  Spacing spacing;
};

class RtpStream {
public:
  explicit RtpStream(std::uint32_t clock_hz, bool ipv6 = false) : clock_hz_(clock_hz), ipv6_(ipv6) {}

  void take(const RtpPacket& packet, Nanoseconds captured, std::size_t bytes);
  [[nodiscard]] RtpFigures figures() const;
  // Two packets with consecutive numbers have arrived: the probation of RFC 3550 A.1. Any UDP may look like RTP before.
  [[nodiscard]] bool is_probable() const { return consecutive_; }

private:
  struct Frame {
    std::int64_t timestamp = 0;  // extended to 64 bits
    std::int64_t first_sequence = 0;
    // The previous frame shows where a frame begins: unknown for the first frame, and after a gap if neither of its
    // ends has a marker.
    bool begin_known = false;
    std::optional<Nanoseconds> first;  // arrival of its first packet, if that arrived and can be identified
    std::int64_t last_sequence = 0;
  };
  struct Arrival {
    Nanoseconds time{0};
    std::int64_t sequence = 0;
    std::uint32_t frame = 0;
  };

  [[nodiscard]] std::int64_t unrolled(const RtpPacket& packet) const;
  void take_jitter(Nanoseconds time);
  void begin_frame(std::int64_t sequence);
  void take_frame(const RtpPacket& packet, Nanoseconds time, std::int64_t sequence);
  [[nodiscard]] Nanoseconds duration_of(std::int64_t ticks) const;
  [[nodiscard]] Nanoseconds media_time(std::int64_t timestamp) const {
    return duration_of(timestamp - first_timestamp_);
  }
  void add_frame_figures(RtpFigures& figures) const;
  void add_spacing(RtpFigures& figures) const;

  std::uint32_t clock_hz_;
  bool ipv6_;
  std::size_t payload_bytes_max_ = 0;
  SequenceTracker tracker_;
  std::uint64_t packets_ = 0, bytes_ = 0;
  std::uint8_t payload_type_ = 0;
  Nanoseconds first_{0};      // when the first packet was captured
  Nanoseconds last_{0};       // relative to first_, as are all times below
  std::uint16_t before_ = 0;  // sequence number of the previous packet
  bool consecutive_ = false;
  InterarrivalJitter jitter_;
  double jitter_sum_us_ = 0, jitter_max_us_ = 0;
  std::uint64_t jitters_ = 0;
  std::int64_t first_timestamp_ = 0;
  std::int64_t timestamp_ = 0;  // of the newest packet, extended to 64 bits
  std::vector<Frame> frames_;
  std::int64_t marked_sequence_ = 0;              // of the newest marker
  std::optional<std::int64_t> marked_timestamp_;  // of the same
  std::vector<Arrival> arrivals_;
};

}  // namespace lw
