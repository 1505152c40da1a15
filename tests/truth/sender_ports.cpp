#include "tests/truth/sender_ports.h"

#include <cerrno>

namespace lw::truth {

bool LeavingPort::hand_over(const msghdr& message) {
  Bytes datagram;
  for (std::size_t i = 0; i < message.msg_iovlen; ++i) {
    const auto* from = static_cast<const std::byte*>(message.msg_iov[i].iov_base);
    datagram.insert(datagram.end(), from, from + message.msg_iov[i].iov_len);
  }
  return leaves_(datagram);
}

ssize_t LeavingPort::send(const msghdr& message, int /*flags*/) {
  ++calls_;
  if (hand_over(message)) return 1;
  errno = EPERM;
  return -1;
}

int LeavingPort::send(std::span<mmsghdr> messages) {
  ++calls_;
  int sent = 0;
  for (const auto& message : messages) {
    if (!hand_over(message.msg_hdr)) break;
    ++sent;
  }
  errno = EPERM;
  return sent > 0 ? sent : -1;
}

std::optional<UdpSocket::Datagram> ReportPort::receive_now(std::span<std::byte> buffer) {
  auto datagram = StandInSocket::receive_now(buffer);
  if (!datagram) return datagram;
  datagram->arrival = clock_.shown_at(datagram->arrival);
  if (shows_.front()) newest_ = shows_.front();
  shows_.pop_front();
  return datagram;
}

}  // namespace lw::truth
