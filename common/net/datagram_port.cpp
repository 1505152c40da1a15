#include "common/net/datagram_port.h"

#include "common/clock/wall_clock.h"
#include "common/net/socket_drops.h"

namespace lw {

int SocketPort::receive(std::span<mmsghdr> messages, int flags) {
  return recvmmsg(socket_.fd(), messages.data(), static_cast<unsigned>(messages.size()), flags, nullptr);
}

void SocketPort::send_to(const Address& peer, std::span<const std::byte> datagram) {
  [[maybe_unused]] const auto sent =
      sendto(socket_.fd(), datagram.data(), datagram.size(), MSG_DONTWAIT, peer.raw(), peer.raw_bytes());
}

void SocketPort::tell(std::span<const std::byte> datagram) {
  [[maybe_unused]] const auto sent = ::send(socket_.fd(), datagram.data(), datagram.size(), MSG_DONTWAIT);
}

std::uint32_t SocketPort::drops() const { return drops_of(socket_); }

std::optional<Nanoseconds> SocketPort::wall_clock_error() const { return lw::wall_clock_error(); }

}  // namespace lw
