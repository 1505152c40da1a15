// A UDP socket with the options that flows need. Move-only; closes itself.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/clock/wall_clock.h"
#include "common/net/address.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace lw {

class UdpSocket {
public:
  UdpSocket() = default;
  // Binds a socket. If the port is in use, the error names it. `shared`: other such sockets of this user may have the
  // same address (SO_REUSEPORT); a connected one receives what its peer sends.
  static Result<UdpSocket> bind(const Address& local, bool shared = false);
  UdpSocket(UdpSocket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UdpSocket& operator=(UdpSocket&& other) noexcept;
  ~UdpSocket();

  Result<void> connect(const Address& peer) const;
  [[nodiscard]] Address local_address() const;  // with the port the kernel chose, if it was bound to port 0
  Result<void> set_dscp(unsigned dscp, bool ipv6) const;
  // Requests kernel buffers and returns the size granted (in the caller's bytes: the kernel counts twice as much for
  // its bookkeeping); less than requested if net.core.{r,w}mem_max is lower.
  [[nodiscard]] std::size_t grow_receive_buffer(std::size_t bytes) const;
  [[nodiscard]] std::size_t grow_send_buffer(std::size_t bytes) const;
  // From now on a send that would wait fails.
  Result<void> set_nonblocking() const;
  // A blocking receive returns after this time without a packet.
  Result<void> set_receive_timeout(Nanoseconds timeout) const;

  // For the rare packets of a control protocol: does not wait. The arrival time is the kernel's, so even a reader that
  // looks once a second knows when a report came.
  struct Datagram {
    std::size_t bytes = 0;
    SystemTime system_arrival{};
    SystemTime read{};   // when the program received it
    WallTime arrival{};  // as system_arrival
    Address source = Address::any(false, 0);
  };
  void stamp_arrivals() const;
  std::optional<Datagram> receive_now(std::span<std::byte> buffer) const;

  [[nodiscard]] int fd() const { return fd_; }

private:
  explicit UdpSocket(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace lw
