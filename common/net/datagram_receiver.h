// Receives datagrams in batches into the caller's memory: recvmmsg of messages, each with packets that the kernel has
// coalesced (UDP_GRO), the arrival time by the network card or the kernel, the kernel's count of dropped packets and
// the traffic class. One thread.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/net/address.h"
#include "common/net/card_clock.h"
#include "common/net/datagram_port.h"
#include "common/net/udp_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

// One message of a batch: one datagram, or several of equal length from one sender (the last may be shorter).
struct ReceivedRun {
  std::size_t bytes = 0;
  std::size_t datagram_bytes = 0;
  WallTime arrival{};  // of the first datagram, by the card or the kernel
  bool by_card = false;
  Address source = Address::any(false, 0);
  // Messages that the kernel dropped since the previous one because the socket's buffer was full (SO_RXQ_OVFL). A
  // message of several datagrams counts once; only sequence numbers show how many packets were lost.
  std::uint32_t dropped_before = 0;
  // DSCP and ECN (RFC 2474, RFC 3168): the kernel coalesces only datagrams with the same class. Empty if it does not
  // report them.
  std::optional<std::uint8_t> traffic_class = {};

  [[nodiscard]] std::size_t datagrams() const {
    return datagram_bytes == 0 ? 1 : (bytes + datagram_bytes - 1) / datagram_bytes;  // an empty datagram counts too
  }
  [[nodiscard]] std::size_t bytes_of(std::size_t datagram) const {
    return std::min(datagram_bytes, bytes - datagram * datagram_bytes);
  }
};

class DatagramReceiver {
public:
  static constexpr unsigned batch_max = 4;                // unless made for more
  static constexpr std::uint64_t run_datagrams_max = 64;  // that UDP_GRO coalesces
  static constexpr std::size_t run_bytes_max = 65'536;    // less room than UDP_GRO may coalesce would lose datagrams

  struct Options {
    // Looks for packets this long before sleeping. This saves the wake-up (tens of microseconds) if the next ones come
    // soon, but keeps the core busy. The kernel also polls the card if its driver supports it.
    std::chrono::microseconds busy_poll{0};
    bool kernel_times = true;  // false: arrivals are when this process saw them
    bool card_times = false;   // with kernel_times: the card's, where a packet has one
  };

  // Enables UDP_GRO, kernel timestamps, traffic classes and drop counting; false if the kernel does not count drops.
  static bool prepare(const UdpSocket& socket, const Options& options);
  // Prepares the socket, which must have a receive timeout and outlive this object.
  explicit DatagramReceiver(const UdpSocket& socket) : DatagramReceiver(socket, Options{}) {}
  DatagramReceiver(const UdpSocket& socket, const Options& options);
  // For a prepared socket. `port` must outlive this object. `card`: the clock of the card that stamps packets; without
  // it, the kernel's stamps count. `batch`: messages of a call, at most.
  DatagramReceiver(DatagramPort& port, std::chrono::microseconds busy_poll, bool counts_drops,
                   std::shared_ptr<const CardLines> card = {}, unsigned batch = batch_max);
  ~DatagramReceiver();

  // Waits for at least one message or the socket's timeout; without `waits`, takes only what has arrived. Message i
  // goes into the pieces of targets[i], which must have room for run_bytes_max; targets beyond the batch are not used.
  // Runs are valid until the next call.
  std::span<const ReceivedRun> receive(std::span<const std::span<iovec>> targets, bool waits = true);

  [[nodiscard]] bool counts_drops() const { return counts_drops_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  // Of the datagrams received, those whose message the card stamped; empty without a card's clock.
  [[nodiscard]] std::optional<std::uint64_t> card_stamped() const {
    return card_ ? std::optional(card_stamped_) : std::nullopt;
  }
  // Bound of the error of these times, without that of the system clock.
  [[nodiscard]] std::optional<Nanoseconds> card_error() const {
    return card_ ? std::optional(card_->read().error) : std::nullopt;
  }
  // The time when receive() returned.
  [[nodiscard]] const Moment& returned_at() const { return returned_at_; }

private:
  DatagramReceiver(std::unique_ptr<DatagramPort> port, std::chrono::microseconds busy_poll, bool counts_drops);
  struct Stamps {
    std::optional<SystemTime> kernel, card;
  };
  int take_messages(unsigned wanted, bool waits);
  Stamps read_control(msghdr& message, ReceivedRun& run);
  void set_arrival(const Stamps& stamps, ReceivedRun& run);

  std::unique_ptr<DatagramPort> own_port_;
  DatagramPort& port_;
  std::chrono::microseconds busy_poll_;
  bool counts_drops_ = false;
  std::shared_ptr<const CardLines> card_;  // or null
  CardLine line_;                          // newest of those
  std::uint64_t card_stamped_ = 0;
  Moment returned_at_;
  std::uint32_t drops_seen_ = 0;  // last value of the kernel's counter, which wraps
  std::uint64_t calls_ = 0;
  struct Control;
  std::unique_ptr<Control[]> controls_;
  std::vector<sockaddr_storage> sources_;
  std::vector<mmsghdr> messages_;
  std::vector<ReceivedRun> runs_;
};

}  // namespace lw
