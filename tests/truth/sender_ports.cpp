#include "tests/truth/sender_ports.h"

#include <cerrno>

namespace lw::truth {

bool LeavingPort::hand_over(const msghdr& message) { return leaves_(gathered(message)); }

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
