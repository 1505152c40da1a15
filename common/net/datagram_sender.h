// Sends runs of equally long datagrams with as few system calls as the kernel allows: one segmented send (UDP_SEGMENT)
// per run, or sendmmsg where the path refuses segmentation. Headers and pixels are gathered by the kernel; nothing is
// copied here. One thread.
#pragma once

#include "common/base/result.h"
#include "common/net/udp_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

// A datagram as up to three pieces of memory: header, pixels, padding.
struct DatagramPieces {
  iovec pieces[3];
  unsigned count = 0;
  [[nodiscard]] std::size_t bytes() const;
};

class DatagramSender {
public:
  // A segmented send must stay below 64 KiB with its headers, or the kernel cuts it up in software.
  static constexpr std::size_t run_bytes_max = 65'000;
  static constexpr unsigned run_packets_max = 64;  // of kernels before 6.9

  // `socket` is connected and outlives this.
  explicit DatagramSender(const UdpSocket& socket);

  // Every datagram but the last of a run has this size. Call before the first send and whenever it changes.
  void set_datagram_bytes(std::size_t bytes);
  // How many datagrams one run may have, at most `wanted`.
  [[nodiscard]] unsigned run_packets(unsigned wanted) const;

  // Sends one run; returns how many datagrams the kernel took. Blocks while the socket's buffer is full. A peer that is
  // not there (ICMP port unreachable) is no failure: the wall goes on without it.
  unsigned send(std::span<const DatagramPieces> run);

  [[nodiscard]] bool segmented() const { return segmented_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

private:
  unsigned send_segmented(std::span<const DatagramPieces> run);
  unsigned send_one_by_one(std::span<const DatagramPieces> run);

  int fd_;
  std::size_t datagram_bytes_ = 0;
  bool segmented_ = true;
  std::uint64_t calls_ = 0;
  std::vector<iovec> gathered_;    // of one segmented send
  std::vector<mmsghdr> messages_;  // of one sendmmsg
};

}  // namespace lw
