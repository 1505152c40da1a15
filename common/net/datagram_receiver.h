// Receives datagrams in batches: recvmmsg over buffers into which the kernel coalesces what came together (UDP_GRO),
// with the kernel's arrival time and its count of dropped packets. One thread.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/net/udp_socket.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

// What one message of a batch brought: one datagram, or several equally long ones of one sender (the last may be
// shorter).
struct ReceivedRun {
  std::span<const std::byte> bytes;
  std::size_t datagram_bytes = 0;
  WallTime arrival{};  // kernel time of the first datagram
  Address source = Address::any(false, 0);
};

class DatagramReceiver {
public:
  static constexpr unsigned batch = 4;
  static constexpr std::size_t buffer_bytes = 65'536;  // less than the most UDP_GRO may coalesce would lose datagrams

  // Switches UDP_GRO, kernel timestamps and drop counting on. `socket` has a receive timeout and outlives this.
  explicit DatagramReceiver(const UdpSocket& socket);
  ~DatagramReceiver();

  // Waits for at least one message or the socket's timeout. The runs are valid until the next call.
  std::span<const ReceivedRun> receive();

  // Packets the kernel dropped at this socket since it was opened (SO_RXQ_OVFL); nothing where it does not count.
  [[nodiscard]] std::optional<std::uint64_t> kernel_drops() const {
    return counts_drops_ ? std::optional(drops_) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

private:
  void read_control(msghdr& message, ReceivedRun& run);

  int fd_;
  bool counts_drops_ = false;
  std::uint64_t drops_ = 0;
  std::uint32_t drops_seen_ = 0;  // the kernel's counter has 32 bits
  std::uint64_t calls_ = 0;
  std::unique_ptr<std::byte[]> buffers_;
  struct Control;
  std::unique_ptr<Control[]> controls_;
  std::vector<sockaddr_storage> sources_;
  std::vector<iovec> pieces_;
  std::vector<mmsghdr> messages_;
  std::vector<ReceivedRun> runs_;
};

}  // namespace lw
