// The system calls that a flow makes on a UDP socket, and the time on its host: the interface between the data path and
// its host. SocketPort is the kernel's socket; tests and simulations replace it, with the same rules for pieces of
// memory, control messages and coalesced datagrams (tests/truth).
//
// One thread.
#pragma once

#include "common/base/moment.h"
#include "common/net/address.h"
#include "common/net/udp_socket.h"

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lw {

class DatagramPort {
public:
  DatagramPort() = default;
  DatagramPort(const DatagramPort&) = delete;
  DatagramPort& operator=(const DatagramPort&) = delete;
  virtual ~DatagramPort() = default;

  // As recvmmsg(2): fills in messages from the first on and returns their number; less than 1 if none came.
  virtual int receive(std::span<mmsghdr> messages, int flags) = 0;
  // As sendmsg(2) and sendmmsg(2), to the connected peer: negative if nothing was sent, with the reason in errno. Waits
  // while the socket's buffer is full.
  virtual ssize_t send(const msghdr& message, int flags) = 0;
  virtual int send(std::span<mmsghdr> messages) = 0;
  // As setsockopt(2): false if refused.
  virtual bool set(int level, int option, const void* value, socklen_t bytes) = 0;
  // For poll(2); -1 if there is no kernel socket.
  [[nodiscard]] virtual int descriptor() const = 0;
  // For the rare packets of a control protocol: receives one datagram without waiting.
  virtual std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) = 0;
  // Does not wait. Packets that the kernel refuses are lost, as on the network.
  virtual void send_to(const Address& peer, std::span<const std::byte> datagram) = 0;
  virtual void tell(std::span<const std::byte> datagram) = 0;  // to the connected peer
  // Number of packets dropped at this socket since it was opened. Wraps.
  [[nodiscard]] virtual std::uint32_t drops() const = 0;
  [[nodiscard]] virtual Moment now() const = 0;
  // Bound of the error of the wall's clock on its host; empty: it is unknown.
  [[nodiscard]] virtual std::optional<Nanoseconds> wall_clock_error() const { return Nanoseconds{0}; }
};

class SocketPort final : public DatagramPort {
public:
  explicit SocketPort(UdpSocket&& socket) : own_(std::move(socket)), socket_(own_) {}
  explicit SocketPort(const UdpSocket& socket) : socket_(socket) {}  // which must outlive this object

  int receive(std::span<mmsghdr> messages, int flags) override;
  ssize_t send(const msghdr& message, int flags) override { return sendmsg(socket_.fd(), &message, flags); }
  int send(std::span<mmsghdr> messages) override {
    return sendmmsg(socket_.fd(), messages.data(), static_cast<unsigned>(messages.size()), 0);
  }
  bool set(int level, int option, const void* value, socklen_t bytes) override {
    return setsockopt(socket_.fd(), level, option, value, bytes) == 0;
  }
  [[nodiscard]] int descriptor() const override { return socket_.fd(); }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override {
    return socket_.receive_now(buffer);
  }
  void send_to(const Address& peer, std::span<const std::byte> datagram) override;
  void tell(std::span<const std::byte> datagram) override;
  [[nodiscard]] std::uint32_t drops() const override;
  [[nodiscard]] Moment now() const override { return Moment::now(); }
  [[nodiscard]] std::optional<Nanoseconds> wall_clock_error() const override;

private:
  UdpSocket own_;
  const UdpSocket& socket_;
};

}  // namespace lw
