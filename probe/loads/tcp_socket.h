// A TCP socket whose calls wait only as long as the caller wants (`go_on`). Move-only; closes itself.
#pragma once

#include "common/base/result.h"
#include "common/net/address.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace lw {

struct TcpSettings {
  std::size_t buffer_bytes = 0;  // for both directions; 0: the kernel adapts them
  std::string congestion;        // empty: the host's default
  unsigned dscp = 0;
};

// The kernel's state of a connection.
struct TcpState {
  double rtt_us = 0;
  double cwnd_bytes = 0;
  std::uint64_t retransmits = 0;  // segments
};

class TcpSocket {
public:
  using GoOn = std::function<bool()>;

  TcpSocket() = default;
  static Result<TcpSocket> listen(const Address& local, const TcpSettings& settings);
  static Result<TcpSocket> connect(const Address& local, const Address& peer, const TcpSettings& settings);
  TcpSocket(TcpSocket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  TcpSocket& operator=(TcpSocket&& other) noexcept;
  ~TcpSocket();

  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  // Empty when `go_on` returns false. Rejects connections from addresses other than `from` (if given).
  [[nodiscard]] std::optional<TcpSocket> accept(const std::optional<Address>& from, const GoOn& go_on) const;
  // Bytes sent or received; 0: the peer has closed the connection, or `go_on` returned false.
  [[nodiscard]] std::size_t send(std::span<const std::byte> bytes, const GoOn& go_on) const;
  [[nodiscard]] std::size_t receive(std::span<std::byte> bytes, const GoOn& go_on) const;
  [[nodiscard]] bool send_all(std::span<const std::byte> bytes, const GoOn& go_on) const;
  [[nodiscard]] bool receive_all(std::span<std::byte> bytes, const GoOn& go_on) const;

  Result<void> limit_rate(double bits_per_s) const;
  [[nodiscard]] std::size_t send_buffer_bytes() const;
  [[nodiscard]] std::size_t receive_buffer_bytes() const;
  [[nodiscard]] std::optional<TcpState> state() const;

private:
  explicit TcpSocket(int fd) : fd_(fd) {}
  static Result<TcpSocket> open(const Address& local, const TcpSettings& settings);
  [[nodiscard]] bool wait_for(short events, const GoOn& go_on) const;
  [[nodiscard]] std::size_t buffer_bytes(int option) const;

  int fd_ = -1;
};

}  // namespace lw
