// Sends runs of datagrams of equal length with as few system calls as the kernel allows: one segmented send
// (UDP_SEGMENT) per run, or sendmmsg if the path refuses segmentation. One thread.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/net/datagram_port.h"
#include "common/net/udp_socket.h"
#include "common/net/zero_copy.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <span>
#include <vector>

namespace lw {

// Memory that is only read, in the type that the kernel's calls need.
inline iovec piece_of(const std::byte* data, std::size_t bytes) { return {const_cast<std::byte*>(data), bytes}; }

// A datagram as up to three pieces of memory: header, pixels, padding.
struct DatagramPieces {
  iovec pieces[3];
  unsigned count = 0;
  [[nodiscard]] std::size_t bytes() const;
};

// The assembly of headers and pixels of a run. Every piece costs the kernel a copy that takes about 0.1 us to start
// (rep movsb). For small datagrams it is cheaper to gather the run here into a buffer that stays in the cache, with
// vector copies; for large ones the kernel should gather. docs/performance.md has the figures.
enum class RunAssembly : std::uint8_t { automatic, kernel, user };

class DatagramSender {
public:
  static constexpr std::size_t assemble_below = 4096;  // bytes of a datagram; automatic: user below this, else kernel
  // A segmented send must stay below 64 KiB with its headers, or the kernel segments it in software.
  static constexpr std::size_t run_bytes_max = 65'000;
  static constexpr std::size_t datagram_bytes_max = 65'507;
  static constexpr unsigned run_packets_max = 64;  // limit of kernels before 6.9

  // `port` (or `socket`) must be connected and outlive this object.
  explicit DatagramSender(DatagramPort& port, RunAssembly assembly = RunAssembly::automatic);
  explicit DatagramSender(const UdpSocket& socket, RunAssembly assembly = RunAssembly::automatic);

  // All datagrams of a run except the last have this size. Call before the first send and whenever it changes.
  void set_datagram_bytes(std::size_t bytes);
  // How many datagrams one run may have, at most `wanted`.
  [[nodiscard]] unsigned run_packets(unsigned wanted) const;

  // Sends one run; returns how many datagrams the kernel took. Blocks while the socket's buffer is full. A missing peer
  // (ICMP port unreachable) does not count as a failure: the wall continues without it. `departure`: when the queueing
  // discipline is to send it, on the caller's clock (set_departure_offset).
  unsigned send(std::span<const DatagramPieces> run, Nanoseconds departure = Nanoseconds{0});

  // Sends datagrams of any sizes that do not form a run. Returns how many the kernel took.
  unsigned send_apart(std::span<const DatagramPieces> datagrams, Nanoseconds departure = Nanoseconds{0});

  // From now on datagrams carry their departure times (SO_TXTIME) on this clock: CLOCK_MONOTONIC for fq, CLOCK_TAI for
  // etf. False if the kernel refuses; it refuses the latter without CAP_NET_ADMIN.
  bool carry_departures(clockid_t clock);
  // From the caller's clock to the one that datagrams carry.
  void set_departure_offset(Nanoseconds offset) { departure_offset_ = offset; }
  // The shortest time from now to a departure: etf drops a packet that arrives after its time, or whose time is before
  // that of a packet that etf has already released (its `delta` early).
  [[nodiscard]] Nanoseconds departure_margin() const { return departure_margin_; }

  // Whether the path accepts segmented sends, as far as is known; after a refusal it is tried again from time to time.
  [[nodiscard]] bool segmented() const { return segmented_; }
  // For the current size of datagrams.
  [[nodiscard]] bool assembles_here() const {
    return assembly_ == RunAssembly::user || (assembly_ == RunAssembly::automatic && datagram_bytes_ < assemble_below);
  }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

  // From now on runs that are not assembled here are sent from the caller's memory, which must not change until
  // zero_copy().done() has reached zero_copy().sent(). False if the kernel refuses.
  bool set_zero_copy(bool on);
  [[nodiscard]] ZeroCopy& zero_copy() { return zero_copy_; }

private:
  ssize_t send_message(const msghdr& message, std::size_t datagrams, bool assembled);
  void stamp(msghdr& message, Nanoseconds departure);
  void write_departure(cmsghdr* entry, Nanoseconds departure) const;
  void segment(std::size_t bytes);  // 0: no more
  unsigned send_segmented(std::span<const DatagramPieces> run, Nanoseconds departure);
  std::size_t assemble(std::span<const DatagramPieces> run);
  std::size_t gather(std::span<const DatagramPieces> run);
  unsigned send_one_by_one(std::span<const DatagramPieces> run, Nanoseconds departure);
  unsigned send_messages(std::size_t count);

  DatagramSender(std::unique_ptr<DatagramPort> port, RunAssembly assembly);
  std::unique_ptr<DatagramPort> own_port_;
  DatagramPort& port_;
  RunAssembly assembly_;
  std::size_t datagram_bytes_ = 0;
  bool segmented_ = true;
  unsigned runs_unsegmented_ = 0;
  bool carries_departures_ = false;
  Nanoseconds departure_offset_{0}, departure_margin_{0};
  ZeroCopy zero_copy_;
  bool wants_zero_copy_ = false;
  std::size_t zero_copy_datagrams_max_ = run_packets_max;  // limit of the kernel for the pieces of one message
  alignas(cmsghdr) std::byte departure_[CMSG_SPACE(sizeof(std::uint64_t))]{};
  std::uint64_t calls_ = 0;
  std::vector<iovec> gathered_;    // for one segmented send
  std::vector<std::byte> run_;     // assembled here
  std::vector<mmsghdr> messages_;  // for one sendmmsg
};

}  // namespace lw
