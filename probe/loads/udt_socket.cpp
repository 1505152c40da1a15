#include "probe/loads/udt_socket.h"

#include "common/net/source_filter.h"
#include "common/net/udp_socket.h"
#include "common/wire/layer_bytes.h"
#include "probe/loads/udt_window.h"

#include <udt/udt.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace lw {
namespace {

constexpr int look_up_ms = 50;  // how often a blocked call asks whether to continue
constexpr std::chrono::milliseconds accept_interval{2};
constexpr int kernel_buffer_bytes = 4 << 20;  // of the UDP socket; the kernel limits it to net.core.rmem_max

// UDT counts an IPv4 header, also over IPv6.
int segment_bytes(unsigned datagram_bytes) {
  return static_cast<int>(datagram_bytes + wire::udp_header_bytes + wire::ip_header_bytes(false));
}

Error cannot(const std::string& what, const std::string& fix) {
  return {what + ": " + UDT::getlasterror().getErrorMessage(), fix};
}

template <class T>
bool set(int id, UDTOpt option, const T& value) {
  return UDT::setsockopt(id, 0, option, &value, sizeof(value)) != UDT::ERROR;
}

std::optional<std::size_t> payload_of(int id, UDTOpt buffer, unsigned datagram_bytes) {
  int value = 0;
  int length = sizeof(value);
  if (UDT::getsockopt(id, 0, buffer, &value, &length) == UDT::ERROR) return {};
  return static_cast<std::size_t>(value) / datagram_bytes * udt_packet_bytes(datagram_bytes);
}

bool timed_out() { return UDT::getlasterror().getErrorCode() == CUDTException::ETIMEOUT; }

bool set_window(int id, const UdtSettings& settings) {
  if (settings.window_bytes == 0) return true;
  const auto packets = static_cast<int>(settings.window_bytes / udt_packet_bytes(settings.datagram_bytes));
  const int buffer = packets * static_cast<int>(settings.datagram_bytes);  // UDT's buffers include its headers
  return set(id, UDT_FC, packets) && set(id, UDT_RCVBUF, buffer) && set(id, UDT_SNDBUF, buffer);
}

}  // namespace

UdtLibrary::UdtLibrary() { UDT::startup(); }
UdtLibrary::~UdtLibrary() { UDT::cleanup(); }

UdtSocket& UdtSocket::operator=(UdtSocket&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(datagram_bytes_, other.datagram_bytes_);
  return *this;
}

UdtSocket::~UdtSocket() {
  if (id_ >= 0) UDT::close(id_);
}

// The UDP socket is ours, so that the kernel can drop what other hosts send. UDT closes its copy.
Result<UdtSocket> UdtSocket::open(const Address& local, std::span<const Address> from, const UdtSettings& settings) {
  const auto udp = UdpSocket::bind(local);
  if (!udp) return udp.error();
  if (!from.empty() && !admit_only(*udp, from))
    return Error{"cannot drop packets of other hosts for UDT at " + local.text(), "use a kernel with BPF"};
  UdtSocket result(UDT::socket(local.is_ipv6() ? AF_INET6 : AF_INET, SOCK_STREAM, 0), settings.datagram_bytes);
  if (result.id_ < 0) return cannot("cannot open a UDT socket", "measure fewer flows");
  const linger none{};
  if (!set(result.id_, UDT_MSS, segment_bytes(settings.datagram_bytes)) || !set_window(result.id_, settings) ||
      !set(result.id_, UDP_SNDBUF, kernel_buffer_bytes) || !set(result.id_, UDP_RCVBUF, kernel_buffer_bytes) ||
      !set(result.id_, UDT_REUSEADDR, false) || !set(result.id_, UDT_LINGER, none) ||
      !set(result.id_, UDT_SNDTIMEO, look_up_ms) || !set(result.id_, UDT_RCVTIMEO, look_up_ms))
    return cannot("cannot set up a UDT socket", "choose another window_bytes or datagram_bytes");
  const int copy = dup(udp->fd());
  if (copy < 0) return Error{std::string("cannot open a UDT socket: ") + std::strerror(errno), "measure fewer flows"};
  if (UDT::bind2(result.id_, copy) == UDT::ERROR) {
    close(copy);
    return cannot("cannot bind UDT " + local.text(), "choose another base_port");
  }
  return result;
}

Result<UdtSocket> UdtSocket::listen(const Address& local, std::span<const Address> from, const UdtSettings& settings) {
  auto socket = open(local, from, settings);
  if (!socket) return socket;
  if (!set(socket->id_, UDT_RCVSYN, false) || UDT::listen(socket->id_, 1) == UDT::ERROR)
    return cannot("cannot listen on UDT " + local.text(), "choose another base_port");
  return socket;
}

Result<UdtSocket> UdtSocket::connect(const Address& local, const Address& peer, const UdtSettings& settings) {
  auto socket = open(local, {&peer, 1}, settings);
  if (!socket) return socket;
  if (UDT::connect(socket->id_, peer.raw(), static_cast<int>(peer.raw_bytes())) == UDT::ERROR)
    return cannot("cannot connect to UDT " + peer.text(), "let UDP through the firewall");
  return socket;
}

std::optional<UdtSocket> UdtSocket::accept(const GoOn& go_on) const {
  for (; go_on(); std::this_thread::sleep_for(accept_interval)) {
    sockaddr_storage peer{};
    int length = sizeof(peer);
    UdtSocket socket(UDT::accept(id_, reinterpret_cast<sockaddr*>(&peer), &length), datagram_bytes_);
    if (socket.id_ < 0) continue;
    if (set(socket.id_, UDT_RCVSYN, true)) return socket;  // the listening socket's setting is inherited
  }
  return {};
}

std::size_t UdtSocket::send(std::span<const std::byte> bytes, const GoOn& go_on) const {
  while (go_on()) {
    const int sent = UDT::send(id_, reinterpret_cast<const char*>(bytes.data()), static_cast<int>(bytes.size()), 0);
    if (sent > 0) return static_cast<std::size_t>(sent);
    if (sent == UDT::ERROR && !timed_out()) return 0;
  }
  return 0;
}

std::size_t UdtSocket::receive(std::span<std::byte> bytes, const GoOn& go_on) const {
  while (go_on()) {
    const int got = UDT::recv(id_, reinterpret_cast<char*>(bytes.data()), static_cast<int>(bytes.size()), 0);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == UDT::ERROR && !timed_out()) return 0;
  }
  return 0;
}

std::optional<std::size_t> UdtSocket::send_buffer_bytes() const { return payload_of(id_, UDT_SNDBUF, datagram_bytes_); }
std::optional<std::size_t> UdtSocket::receive_buffer_bytes() const {
  return payload_of(id_, UDT_RCVBUF, datagram_bytes_);
}

std::optional<UdtState> UdtSocket::state() const {
  UDT::TRACEINFO info{};
  if (id_ < 0 || UDT::perfmon(id_, &info, false) == UDT::ERROR) return {};
  const auto payload = static_cast<double>(udt_packet_bytes(datagram_bytes_));
  return UdtState{info.msRTT * 1000, info.pktCongestionWindow * payload, static_cast<double>(info.pktRetransTotal)};
}

}  // namespace lw
