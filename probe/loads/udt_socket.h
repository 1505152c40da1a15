// A connection of UDT (Gu, Grossman: "UDT: UDP-based data transfer for high-speed wide area networks", Computer
// Networks 51, 2007), by its library, which has its own threads for each UDP socket. Move-only; closes itself.
//
// Threads: one at a time; any thread may call state().
#pragma once

#include "common/base/result.h"
#include "common/net/address.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace lw {

// The library runs while one of these exists. The destructor of the last one waits for some seconds: for so long UDT
// keeps closed sockets, and with them their ports.
class UdtLibrary {
public:
  UdtLibrary();
  ~UdtLibrary();
  UdtLibrary(const UdtLibrary&) = delete;
  UdtLibrary& operator=(const UdtLibrary&) = delete;
};

// See udt_window.h for limits.
struct UdtSettings {
  unsigned datagram_bytes = 0;   // UDP payload
  std::size_t window_bytes = 0;  // flow-control window and buffers of each end; 0: the library's
};

// The library's figures of a connection.
struct UdtState {
  double rtt_us = 0;
  double cwnd_bytes = 0;
  double retransmits = 0;  // packets
};

class UdtSocket {
public:
  using GoOn = std::function<bool()>;

  UdtSocket() = default;
  // `from`: the only hosts whose packets the kernel passes to the library; empty: all.
  static Result<UdtSocket> listen(const Address& local, std::span<const Address> from, const UdtSettings& settings);
  static Result<UdtSocket> connect(const Address& local, const Address& peer, const UdtSettings& settings);
  UdtSocket(UdtSocket&& other) noexcept : id_(std::exchange(other.id_, -1)), datagram_bytes_(other.datagram_bytes_) {}
  UdtSocket& operator=(UdtSocket&& other) noexcept;
  ~UdtSocket();

  // Nothing if `go_on` became false.
  [[nodiscard]] std::optional<UdtSocket> accept(const GoOn& go_on) const;
  // Bytes sent or received; 0: the peer closed the connection, or `go_on` became false.
  [[nodiscard]] std::size_t send(std::span<const std::byte> bytes, const GoOn& go_on) const;
  [[nodiscard]] std::size_t receive(std::span<std::byte> bytes, const GoOn& go_on) const;

  // Payload that fits; nothing once the connection has ended.
  [[nodiscard]] std::optional<std::size_t> send_buffer_bytes() const;
  [[nodiscard]] std::optional<std::size_t> receive_buffer_bytes() const;
  [[nodiscard]] std::optional<UdtState> state() const;

private:
  UdtSocket(int id, unsigned datagram_bytes) : id_(id), datagram_bytes_(datagram_bytes) {}
  static Result<UdtSocket> open(const Address& local, std::span<const Address> from, const UdtSettings& settings);

  int id_ = -1;
  unsigned datagram_bytes_ = 0;
};

}  // namespace lw
