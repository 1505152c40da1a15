// The sender's half of a flow's RTCP: sends a sender report every second, receives the receiver's reports and requests.
// Stepped by the flow's thread. Accepts only packets from the node's address and port about the flow's stream, and no
// more than a bounded number a second, so that a flood does not delay the flow.
#pragma once

#include "common/net/datagram_port.h"
#include "common/net/flood_limit.h"
#include "common/net/udp_socket.h"
#include "common/srtp/packet_opener.h"
#include "common/srtp/packet_sealer.h"
#include "common/wire/rtcp.h"
#include "server/send/flow_feedback.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lw {

class RtcpReporter {
public:
  // `port` is bound one above the flow's source port, connected one above its destination port, and has arrival times.
  // `key`: encrypts what both ends send. `reports_by`: sends the reports that this receiver gets (by a group), and must
  // outlive this object; null: this object.
  RtcpReporter(std::unique_ptr<DatagramPort> port, std::uint32_t ssrc, std::string cname,
               const std::optional<MediaKey>& key = {}, const RtcpReporter* reports_by = nullptr)
      : port_(std::move(port)), ssrc_(ssrc), cname_(std::move(cname)), reports_by_(reports_by) {
    if (key) {
      sealer_.emplace(*key);
      opener_.emplace(*key);
    }
    missing_.reserve(missing_max);
  }

  // Reports about another stream from now on, beginning at once.
  void begin_stream(std::uint32_t ssrc) {
    ssrc_ = ssrc;
    feedback_ = {};
    next_ = WallTime{};
  }
  // Sends a report if one is due at `now`.
  void step(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);
  // When step() next sends a report.
  [[nodiscard]] WallTime next_report(WallTime now) const { return is_due(next_, now, report_interval) ? now : next_; }
  // Takes in the packets that have come and answers clock requests. Returns the requested packets, by extended sequence
  // number; valid until the next call.
  std::span<const std::uint32_t> receive();
  // More packets came than are accepted: waiting for more makes no sense before the next millisecond.
  [[nodiscard]] bool flooded() { return limit_.spent(port_->now().local); }
  // Packets that were not accepted: not about this stream, malformed, or too many. Asks the kernel.
  [[nodiscard]] std::uint64_t refused() const { return refused_here() + port_->drops(); }
  // Without those that the kernel refused.
  [[nodiscard]] std::uint64_t refused_here() const { return refused_; }
  // When a receiver last reported lost packets.
  [[nodiscard]] std::optional<WallTime> loss_seen() const { return loss_seen_; }
  // Of the newest report: when it came, and the packets that the receiver misses.
  [[nodiscard]] std::optional<LocalTime> last_report() const { return last_report_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  // The newest report of the receiver about its frames.
  [[nodiscard]] const FlowFeedback& feedback() const { return feedback_; }
  // Sends it the frames that all tiles show.
  void tell_committed(const TickSet& committed);
  // Sends it the playout delay of all tiles.
  void tell_delay(const PlayoutRamp& delay);
  [[nodiscard]] int descriptor() const { return port_->descriptor(); }
  void say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);

  // RFC 3550 section 6.4.1; empty until a receiver has answered a report.
  [[nodiscard]] std::optional<Nanoseconds> round_trip_time() const { return round_trip_; }

private:
  static constexpr std::chrono::seconds report_interval{1};
  static constexpr int compounds_max = 4;                      // accepted by one call: a flood must not delay the flow
  static constexpr std::size_t missing_of_compound_max = 512;  // our own receivers request no more at once
  static constexpr double compounds_per_second_max = 4000;
  static constexpr double compounds_at_once_max = 400;
  static constexpr std::size_t missing_max = compounds_max * missing_of_compound_max;

  bool open(UdpSocket::Datagram& datagram);
  bool take(const UdpSocket::Datagram& datagram);
  void take_report(const ReportBlock& block, bool asks, WallTime arrival);
  [[nodiscard]] bool left_before(const ReportBlock& block, Nanoseconds round_trip) const;
  bool answer(const ClockRequest& request, const UdpSocket::Datagram& datagram);
  void look_at_system_clock(const UdpSocket::Datagram& datagram, LocalTime now);
  void tell(std::size_t bytes);
  void send_report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes, bool bye);

  std::unique_ptr<DatagramPort> port_;
  std::uint32_t ssrc_;
  std::string cname_;
  const RtcpReporter* const reports_by_;
  std::optional<PacketSealer> sealer_;
  std::optional<PacketOpener> opener_;
  std::optional<Nanoseconds> system_less_local_;  // the system clock minus the monotonic clock
  bool system_clock_set_ = false;                 // while packets in the socket waited
  WallTime next_{};
  struct Sent {
    std::uint32_t middle = 0;  // middle 32 bits of its NTP time
    LocalTime at{};
  };
  std::array<Sent, 8> reports_{};  // the newest
  std::size_t reports_sent_ = 0;
  std::optional<Nanoseconds> round_trip_;
  std::optional<WallTime> loss_seen_;
  std::optional<LocalTime> last_report_;
  std::uint64_t lost_ = 0;
  FlowFeedback feedback_;
  std::vector<std::uint32_t> missing_;
  FloodLimit limit_{compounds_per_second_max, compounds_at_once_max};
  std::uint64_t refused_ = 0;
  std::array<std::byte, rtcp_bytes_max + PacketSealer::rtcp_growth> buffer_{};  // a received packet
  std::array<std::byte, rtcp_bytes_max> told_{};
};

}  // namespace lw
