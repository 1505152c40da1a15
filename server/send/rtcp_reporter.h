// The sender's half of a flow's RTCP: a sender report every second, and what the receiver reports back and asks for.
// Stepped by the flow's thread. Only what comes from the node's address and port and is about the flow's stream is
// taken in, and of that no more than a bounded number a second, so that a flood does not hold up the flow.
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
  // `port` is bound one above the flow's source port, connected one above its destination port, and tells arrivals.
  // `key`: encrypts what both ends send.
  RtcpReporter(std::unique_ptr<DatagramPort> port, std::uint32_t ssrc, std::string cname,
               const std::optional<MediaKey>& key = {})
      : port_(std::move(port)), ssrc_(ssrc), cname_(std::move(cname)) {
    if (key) {
      sealer_.emplace(*key);
      opener_.emplace(*key);
    }
    missing_.reserve(missing_max);
  }

  // Sends a report if one is due at `now`.
  void step(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);
  // Takes in what has come, and answers who asks for the time: the packets that are asked for again, by extended
  // sequence number. Valid until the next call.
  std::span<const std::uint32_t> receive();
  // More came than is taken in: there is nothing to wait for before the next millisecond.
  [[nodiscard]] bool flooded() { return limit_.spent(port_->now().local); }
  // Packets that came and were not taken in: not about this stream, malformed, or too many. Asks the kernel.
  [[nodiscard]] std::uint64_t refused() const { return refused_ + port_->drops(); }
  // When a receiver last reported that packets were lost.
  [[nodiscard]] std::optional<WallTime> loss_seen() const { return loss_seen_; }
  // What the receiver said last of the frames it gets.
  [[nodiscard]] const FlowFeedback& feedback() const { return feedback_; }
  // Tells it what all tiles are to show.
  void tell_committed(const TickSet& committed);
  // Tells it when all tiles are to show what.
  void tell_delay(const PlayoutRamp& delay);
  [[nodiscard]] int descriptor() const { return port_->descriptor(); }
  void say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);

  // RFC 3550 section 6.4.1; nothing until a receiver has answered a report.
  [[nodiscard]] std::optional<Nanoseconds> round_trip_time() const { return round_trip_; }

private:
  static constexpr int compounds_max = 4;  // taken in by one call: a flood must not hold up the flow
  static constexpr std::size_t missing_of_compound_max = 512;  // our own receivers ask for no more at once
  static constexpr double compounds_per_second_max = 4000;
  static constexpr double compounds_at_once_max = 400;
  static constexpr std::size_t missing_max = compounds_max * missing_of_compound_max;

  bool open(UdpSocket::Datagram& datagram);
  bool take(const UdpSocket::Datagram& datagram);
  void take_report(const ReportBlock& block, bool asks, WallTime arrival);
  [[nodiscard]] bool left_before(const ReportBlock& block, Nanoseconds round_trip) const;
  bool answer(const ClockRequest& request, const UdpSocket::Datagram& datagram);
  void tell(std::size_t bytes);
  void send_report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes, bool bye);

  std::unique_ptr<DatagramPort> port_;
  std::uint32_t ssrc_;
  std::string cname_;
  std::optional<PacketSealer> sealer_;
  std::optional<PacketOpener> opener_;
  WallTime next_{};
  struct Sent {
    std::uint32_t middle = 0;  // of its NTP time
    LocalTime at{};
  };
  std::array<Sent, 8> reports_{};  // the newest
  std::size_t reports_sent_ = 0;
  std::optional<Nanoseconds> round_trip_;
  std::optional<WallTime> loss_seen_;
  FlowFeedback feedback_;
  std::vector<std::uint32_t> missing_;
  FloodLimit limit_{compounds_per_second_max, compounds_at_once_max};
  std::uint64_t refused_ = 0;
  std::array<std::byte, rtcp_bytes_max + PacketSealer::rtcp_growth> buffer_{};  // what came
  std::array<std::byte, rtcp_bytes_max> told_{};
};

}  // namespace lw
