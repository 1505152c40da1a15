// The UDP socket of a STAMP sender or reflector: with each packet the kernel's time of its arrival, its TTL (hop limit)
// and its traffic class (DSCP and ECN). One thread.
#pragma once

#include "common/base/result.h"
#include "common/net/address.h"
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
  // The address of this host that it was sent to; a reply is sent from there.
  std::variant<std::monostate, in_pktinfo, in6_pktinfo> to;
  StampArrival arrival;
};

class StampSocket {
public:
  // Packets leave with the highest TTL, so that the other side sees the number of hops.
  static constexpr std::uint8_t sent_ttl = 255;

  // Bound.
  static Result<StampSocket> open(const Address& local);
  [[nodiscard]] Result<void> connect(const Address& peer) const { return socket_.connect(peer); }

  // Waits; nothing if none came in time, or if ICMP reported something.
  [[nodiscard]] std::optional<StampDatagram> receive(std::span<std::byte> buffer, Nanoseconds wait);
  // Whether ICMP reported that nothing listens at the connected peer's port.
  [[nodiscard]] bool was_refused() const { return was_refused_; }
  // To the connected peer; does not wait. False if the kernel did not take it.
  [[nodiscard]] bool send(std::span<const std::byte> packet, std::uint8_t traffic_class);
  [[nodiscard]] bool reply(std::span<const std::byte> packet, const StampDatagram& to,
                           std::uint8_t traffic_class) const;
  [[nodiscard]] Address local_address() const { return socket_.local_address(); }

private:
  StampSocket(UdpSocket socket, bool ipv6) : socket_(std::move(socket)), ipv6_(ipv6) {}

  UdpSocket socket_;
  bool ipv6_;
  bool was_refused_ = false;
};

}  // namespace lw
