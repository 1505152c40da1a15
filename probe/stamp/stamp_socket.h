// The UDP socket of a STAMP sender or reflector. For each packet the kernel provides its arrival time, TTL (hop limit)
// and traffic class (DSCP and ECN); on request the network card provides its times of arrival and departure. One
// thread.
#pragma once

#include "common/base/result.h"
#include "common/net/address.h"
#include "common/net/card_clock.h"
#include "common/net/udp_socket.h"
#include "probe/stamp/reflection.h"

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace lw {

struct StampDatagram {
  std::size_t bytes = 0;
  Address from = Address::any(false, 0);
  // The address of this host to which it was sent, and from which a reply is sent.
  std::variant<std::monostate, in_pktinfo, in6_pktinfo> to;
  StampArrival arrival;  // by the kernel
  std::optional<WallTime> card_arrival;
};

// The network card's time of departure of a packet.
struct StampDeparture {
  std::uint32_t packet = 0;  // number of the call of send(), from 0; wrong once a call has failed
  WallTime time{};
};

class StampSocket {
public:
  // Packets leave with the maximum TTL, so that the other side sees the number of hops.
  static constexpr std::uint8_t sent_ttl = 255;

  // Bound.
  static Result<StampSocket> open(const Address& local);
  [[nodiscard]] Result<void> connect(const Address& peer) const { return socket_.connect(peer); }

  // From now on the card of the local address stamps packets; `sends`: also those that this socket sends. Call once,
  // before the first packet is sent.
  Result<void> use_card(bool sends);
  // Bound of the error of the card's times so far.
  [[nodiscard]] std::optional<Nanoseconds> card_error() const {
    return card_ ? std::optional(card_->lines().read().error) : std::nullopt;
  }

  // Waits for a packet; empty if none came in time, or if ICMP reported an error.
  [[nodiscard]] std::optional<StampDatagram> receive(std::span<std::byte> buffer, Nanoseconds wait);
  // The next departure that the card has reported; empty if there is none.
  [[nodiscard]] std::optional<StampDeparture> next_departure() const;
  // Whether ICMP reported that nothing listens at the connected peer's port.
  [[nodiscard]] bool was_refused() const { return was_refused_; }
  // Sends to the connected peer without waiting. False if the kernel refused.
  [[nodiscard]] bool send(std::span<const std::byte> packet, std::uint8_t traffic_class);
  [[nodiscard]] bool reply(std::span<const std::byte> packet, const StampDatagram& to,
                           std::uint8_t traffic_class) const;
  [[nodiscard]] Address local_address() const { return socket_.local_address(); }

private:
  StampSocket(UdpSocket socket, bool ipv6) : socket_(std::move(socket)), ipv6_(ipv6) {}

  UdpSocket socket_;
  std::shared_ptr<const CardClock> card_;  // or null: the kernel stamps
  bool ipv6_;
  bool was_refused_ = false;
};

}  // namespace lw
