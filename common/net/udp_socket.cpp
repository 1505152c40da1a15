#include "common/net/udp_socket.h"

#include "common/base/timespec.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace lw {
namespace {

std::size_t grow_buffer(int fd, int option, int forced_option, std::size_t bytes) {
  const int wanted = static_cast<int>(bytes);
  // The forced variant needs CAP_NET_ADMIN and ignores the sysctl limit.
  if (setsockopt(fd, SOL_SOCKET, forced_option, &wanted, sizeof(wanted)) != 0)
    setsockopt(fd, SOL_SOCKET, option, &wanted, sizeof(wanted));
  int granted = 0;
  socklen_t length = sizeof(granted);
  getsockopt(fd, SOL_SOCKET, option, &granted, &length);
  return static_cast<std::size_t>(granted) / 2;
}

}  // namespace

UdpSocket& UdpSocket::operator=(UdpSocket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

UdpSocket::~UdpSocket() {
  if (fd_ >= 0) close(fd_);
}

Result<UdpSocket> UdpSocket::bind(const Address& local, bool shared) {
  UdpSocket result(::socket(local.is_ipv6() ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (result.fd_ < 0)
    return Error{std::string("cannot open a UDP socket: ") + std::strerror(errno),
                 "raise the limit of open files (ulimit -n)"};
  const int on = 1;
  if (shared) setsockopt(result.fd_, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  if (::bind(result.fd_, local.raw(), local.raw_bytes()) != 0) {
    if (errno == EADDRINUSE)
      return Error{
          "UDP port " + local.text() + " is in use",
          "stop the program that has it (ss -ulpn names it) or change base_port or source_port in [streaming]"};
    if (errno == EADDRNOTAVAIL)
      return Error{"no interface of this host has the address " + local.text(), "correct it in the wall file"};
    return Error{"cannot bind UDP " + local.text() + ": " + std::strerror(errno), ""};
  }
  return result;
}

Result<void> UdpSocket::connect(const Address& peer) const {
  if (::connect(fd_, peer.raw(), peer.raw_bytes()) != 0)
    return Error{"no route to " + peer.text() + ": " + std::strerror(errno),
                 "check the address in the wall file and the routes (ip route)"};
  return {};
}

Address UdpSocket::local_address() const {
  sockaddr_storage raw{};
  socklen_t length = sizeof(raw);
  getsockname(fd_, reinterpret_cast<sockaddr*>(&raw), &length);
  return Address::from(raw);
}

Result<void> UdpSocket::set_dscp(unsigned dscp, bool ipv6) const {
  const int traffic_class = static_cast<int>(dscp << 2U);
  const int failed = ipv6 ? setsockopt(fd_, IPPROTO_IPV6, IPV6_TCLASS, &traffic_class, sizeof(traffic_class))
                          : setsockopt(fd_, IPPROTO_IP, IP_TOS, &traffic_class, sizeof(traffic_class));
  if (failed != 0) return Error{"cannot set DSCP " + std::to_string(dscp) + ": " + std::strerror(errno), ""};
  return {};
}

std::size_t UdpSocket::grow_receive_buffer(std::size_t bytes) const {
  return grow_buffer(fd_, SO_RCVBUF, SO_RCVBUFFORCE, bytes);
}
std::size_t UdpSocket::grow_send_buffer(std::size_t bytes) const {
  return grow_buffer(fd_, SO_SNDBUF, SO_SNDBUFFORCE, bytes);
}

Result<void> UdpSocket::set_nonblocking() const {
  const int flags = fcntl(fd_, F_GETFL);
  if (flags < 0 || fcntl(fd_, F_SETFL, flags | O_NONBLOCK) != 0)
    return Error{std::string("cannot make a UDP socket non-blocking: ") + std::strerror(errno), ""};
  return {};
}

Result<void> UdpSocket::set_receive_timeout(Nanoseconds timeout) const {
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(timeout).count();
  const timeval value{micros / 1'000'000, micros % 1'000'000};
  if (setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &value, sizeof(value)) != 0)
    return Error{std::string("cannot set a receive timeout: ") + std::strerror(errno), ""};
  return {};
}

void UdpSocket::stamp_arrivals() const {
  const int on = 1;
  setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
}

std::optional<UdpSocket::Datagram> UdpSocket::receive_now(std::span<std::byte> buffer) const {
  sockaddr_storage from{};
  iovec piece{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(timespec))> control{};
  msghdr message{};
  message.msg_name = &from;
  message.msg_namelen = sizeof(from);
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const auto bytes = recvmsg(fd_, &message, MSG_DONTWAIT);
  if (bytes < 0) return std::nullopt;
  const SystemTime now = std::chrono::system_clock::now();
  Datagram result{static_cast<std::size_t>(bytes), now, now, WallTime{}, Address::from(from)};
  if (const cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr && entry->cmsg_type == SO_TIMESTAMPNS) {
    timespec time{};
    std::memcpy(&time, CMSG_DATA(entry), sizeof(time));
    result.system_arrival = SystemTime{from_timespec(time)};
  }
  result.arrival = to_wall(result.system_arrival);
  return result;
}

}  // namespace lw
