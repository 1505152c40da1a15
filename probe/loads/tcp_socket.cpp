#include "probe/loads/tcp_socket.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace lw {
namespace {

constexpr int look_up_ms = 50;  // how often a waiting call asks go_on()
constexpr std::chrono::seconds connect_patience{5};

Error cannot(const std::string& what) { return {what + ": " + std::strerror(errno), ""}; }

bool set(int fd, int level, int option, int value) { return setsockopt(fd, level, option, &value, sizeof(value)) == 0; }

}  // namespace

TcpSocket& TcpSocket::operator=(TcpSocket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

TcpSocket::~TcpSocket() {
  if (fd_ >= 0) close(fd_);
}

// Buffers are set before the handshake, which negotiates the window scale.
Result<TcpSocket> TcpSocket::open(const Address& local, const TcpSettings& settings) {
  const int family = local.is_ipv6() ? AF_INET6 : AF_INET;
  TcpSocket result(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (result.fd_ < 0) return cannot("cannot open a TCP socket");
  set(result.fd_, SOL_SOCKET, SO_REUSEADDR, 1);
  set(result.fd_, IPPROTO_TCP, TCP_NODELAY, 1);
  if (settings.buffer_bytes > 0) {
    const int bytes = static_cast<int>(settings.buffer_bytes);
    if (!set(result.fd_, SOL_SOCKET, SO_SNDBUFFORCE, bytes)) set(result.fd_, SOL_SOCKET, SO_SNDBUF, bytes);
    if (!set(result.fd_, SOL_SOCKET, SO_RCVBUFFORCE, bytes)) set(result.fd_, SOL_SOCKET, SO_RCVBUF, bytes);
  }
  const auto& name = settings.congestion;
  if (!name.empty() &&
      setsockopt(result.fd_, IPPROTO_TCP, TCP_CONGESTION, name.c_str(), static_cast<socklen_t>(name.size())) != 0)
    return Error{"the kernel has no congestion control '" + name + "'",
                 "see sysctl net.ipv4.tcp_available_congestion_control, or modprobe tcp_" + name};
  const int traffic_class = static_cast<int>(settings.dscp << 2U);
  if (settings.dscp != 0 && !(local.is_ipv6() ? set(result.fd_, IPPROTO_IPV6, IPV6_TCLASS, traffic_class)
                                              : set(result.fd_, IPPROTO_IP, IP_TOS, traffic_class)))
    return cannot("cannot set DSCP " + std::to_string(settings.dscp));
  if (::bind(result.fd_, local.raw(), local.raw_bytes()) != 0) return cannot("cannot bind TCP " + local.text());
  return result;
}

Result<TcpSocket> TcpSocket::listen(const Address& local, const TcpSettings& settings) {
  auto socket = open(local, settings);
  if (!socket) return socket;
  if (::listen(socket->fd_, 4) != 0) return cannot("cannot listen on TCP " + local.text());
  return socket;
}

Result<TcpSocket> TcpSocket::connect(const Address& local, const Address& peer, const TcpSettings& settings) {
  auto socket = open(local, settings);
  if (!socket) return socket;
  const Error failed{"cannot connect to TCP " + peer.text(), "let it through the firewall"};
  if (::connect(socket->fd_, peer.raw(), peer.raw_bytes()) != 0 && errno != EINPROGRESS)
    return Error{failed.what + ": " + std::strerror(errno), failed.mend};
  const auto until = std::chrono::steady_clock::now() + connect_patience;
  if (!socket->wait_for(POLLOUT, [&] { return std::chrono::steady_clock::now() < until; }))
    return Error{failed.what + ": no answer", failed.mend};
  int error = 0;
  socklen_t length = sizeof(error);
  getsockopt(socket->fd_, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) return Error{failed.what + ": " + std::strerror(error), failed.mend};
  return socket;
}

bool TcpSocket::wait_for(short events, const GoOn& go_on) const {
  pollfd wait{fd_, events, 0};
  while (go_on())
    if (const int ready = poll(&wait, 1, look_up_ms); ready > 0) return true;
  return false;
}

std::optional<TcpSocket> TcpSocket::accept(const std::optional<Address>& from, const GoOn& go_on) const {
  while (wait_for(POLLIN, go_on)) {
    sockaddr_storage peer{};
    socklen_t length = sizeof(peer);
    TcpSocket socket(accept4(fd_, reinterpret_cast<sockaddr*>(&peer), &length, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket || (from && !Address::from(peer).same_host(*from))) continue;
    return socket;
  }
  return {};
}

std::size_t TcpSocket::send(std::span<const std::byte> bytes, const GoOn& go_on) const {
  while (go_on()) {
    const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) return static_cast<std::size_t>(sent);
    if (errno != EAGAIN || !wait_for(POLLOUT, go_on)) return 0;
  }
  return 0;
}

std::size_t TcpSocket::receive(std::span<std::byte> bytes, const GoOn& go_on) const {
  while (go_on()) {
    const auto received = ::recv(fd_, bytes.data(), bytes.size(), 0);
    if (received >= 0) return static_cast<std::size_t>(received);
    if (errno != EAGAIN || !wait_for(POLLIN, go_on)) return 0;
  }
  return 0;
}

bool TcpSocket::send_all(std::span<const std::byte> bytes, const GoOn& go_on) const {
  while (!bytes.empty()) {
    const auto sent = send(bytes, go_on);
    if (sent == 0) return false;
    bytes = bytes.subspan(sent);
  }
  return true;
}

bool TcpSocket::receive_all(std::span<std::byte> bytes, const GoOn& go_on) const {
  while (!bytes.empty()) {
    const auto received = receive(bytes, go_on);
    if (received == 0) return false;
    bytes = bytes.subspan(received);
  }
  return true;
}

// The kernel paces TCP itself if no queueing discipline does.
Result<void> TcpSocket::limit_rate(double bits_per_s) const {
  const auto bytes_per_s = static_cast<std::uint64_t>(bits_per_s / 8);
  if (setsockopt(fd_, SOL_SOCKET, SO_MAX_PACING_RATE, &bytes_per_s, sizeof(bytes_per_s)) != 0)
    return cannot("cannot limit the rate of a TCP connection");
  return {};
}

std::size_t TcpSocket::buffer_bytes(int option) const {
  int bytes = 0;
  socklen_t length = sizeof(bytes);
  getsockopt(fd_, SOL_SOCKET, option, &bytes, &length);
  return static_cast<std::size_t>(bytes) / 2;  // the kernel counts twice as much, for its own bookkeeping
}
std::size_t TcpSocket::send_buffer_bytes() const { return buffer_bytes(SO_SNDBUF); }
std::size_t TcpSocket::receive_buffer_bytes() const { return buffer_bytes(SO_RCVBUF); }

std::optional<TcpState> TcpSocket::state() const {
  tcp_info info{};
  socklen_t length = sizeof(info);
  if (getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return {};
  return TcpState{static_cast<double>(info.tcpi_rtt),
                  static_cast<double>(info.tcpi_snd_cwnd) * static_cast<double>(info.tcpi_snd_mss),
                  info.tcpi_total_retrans};
}

}  // namespace lw
