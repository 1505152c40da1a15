// The sender of a capacity measurement: sends load packets at the rate of the search, which the receiver's reports
// move. One thread.
#pragma once

#include "common/net/datagram_sender.h"
#include "common/net/udp_socket.h"
#include "probe/capacity/capacity_packets.h"
#include "probe/capacity/capacity_report.h"
#include "probe/capacity/capacity_spec.h"

#include <array>
#include <optional>
#include <stop_token>
#include <vector>

namespace lw {

class CapacitySender {
public:
  // `socket` is connected and outlives this.
  CapacitySender(const CapacitySpec& spec, std::uint64_t session, const UdpSocket& socket);
  // Until the test is over.
  CapacitySent run(const std::stop_token& stop);

private:
  using Header = std::array<std::byte, load_header_bytes>;

  void take_statuses();
  void take_status(const StatusPacket& status, LocalTime now);
  void send_due(LocalTime now);
  void send_packets(unsigned count, LocalTime now);
  void count_offered(LocalTime until);
  void wait(LocalTime now) const;
  [[nodiscard]] double packet_seconds() const { return packet_bits_ / search_.rate().bits_per_second; }

  const CapacitySpec spec_;
  const std::uint64_t session_;
  const UdpSocket& socket_;
  const double packet_bits_;  // at the IP layer
  RateSearch search_;
  DatagramSender sender_;
  std::vector<std::byte> filling_;
  std::vector<Header> headers_;
  std::vector<DatagramPieces> run_;
  LocalTime begin_{}, next_due_{}, offered_until_{}, status_came_{};
  std::optional<StatusPacket> status_;
  std::uint64_t sequence_ = 0;
  std::vector<double> offered_bits_;  // of each sub-interval
  CapacitySent sent_;
};

}  // namespace lw
