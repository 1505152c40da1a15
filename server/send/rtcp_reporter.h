// The sender's half of a flow's RTCP: a sender report every second, and what the receiver reports back. Stepped by the
// flow's thread; two system calls a second.
#pragma once

#include "common/net/udp_socket.h"
#include "common/wire/rtcp.h"

#include <array>
#include <optional>
#include <string>

namespace lw {

class RtcpReporter {
public:
  // `socket` is bound one above the flow's source port and connected one above its destination port.
  RtcpReporter(UdpSocket socket, std::uint32_t ssrc, std::string cname)
      : socket_(std::move(socket)), ssrc_(ssrc), cname_(std::move(cname)) {
    socket_.stamp_arrivals();
  }

  // Sends a report if one is due at `now`, and takes in what has come.
  void step(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);
  void say_goodbye(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes);

  // RFC 3550 section 6.4.1; nothing until a receiver has answered a report.
  [[nodiscard]] std::optional<Nanoseconds> round_trip_time() const { return round_trip_; }

private:
  void send_report(WallTime now, std::uint64_t packets, std::uint64_t payload_bytes, bool bye);
  void receive_reports();

  UdpSocket socket_;
  std::uint32_t ssrc_;
  std::string cname_;
  WallTime next_{};
  std::optional<Nanoseconds> round_trip_;
  std::array<std::byte, rtcp_bytes_max> buffer_{};
};

}  // namespace lw
