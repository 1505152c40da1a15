// Attributes messages dropped by the kernel at a socket (SO_RXQ_OVFL) to the socket's streams, by the gaps in their
// numbers. The kernel counts messages without their content, and a gap shows only with the next packet of the same
// stream, which for parity or resends may arrive much later than the count. So each count waits until each stream has
// continued, or for `explained_within`. Messages that left no gap did not belong to these streams.
//
// Packets that the network lost at the same time are indistinguishable from those dropped by the kernel. One thread; no
// allocation.
#pragma once

#include "common/base/units.h"
#include "common/metrics/sequence_tracker.h"
#include "common/net/datagram_receiver.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace lw {

class KernelDrops {
public:
  static constexpr std::chrono::seconds explained_within{1};
  static constexpr std::size_t streams = 3;
  // In the order in which dropped messages are attributed to them; null: no such stream.
  using Streams = std::array<SequenceTracker*, streams>;

  // Call before the packets of a message are taken; the kernel dropped `messages` just before it.
  void begin_message(std::uint32_t messages, const Streams& of_socket, LocalTime now) {
    if (messages > 0) {
      if (unexplained_ == 0) until_ = now + explained_within;
      unexplained_ += messages;
      for (std::size_t i = 0; i < streams; ++i) open_[i] = of_socket[i] != nullptr && !of_socket[i]->empty();
    }
    if (unexplained_ == 0) return;
    for (std::size_t i = 0; i < streams; ++i)
      if (open_[i]) reached_[i] = of_socket[i]->highest();
  }
  // Call after they were taken: numbers missing before them were dropped.
  void end_message(const Streams& of_socket) {
    if (unexplained_ == 0) return;
    for (std::size_t i = 0; i < streams; ++i) {
      if (!open_[i] || of_socket[i]->highest() == reached_[i]) continue;
      open_[i] = false;
      const auto missing = of_socket[i]->drop_missing(reached_[i], unexplained_ * DatagramReceiver::run_datagrams_max);
      unexplained_ -= std::min(unexplained_, missing);
    }
  }
  // Messages that belong to no stream.
  std::uint64_t take_unexplained(LocalTime now) {
    if (unexplained_ == 0) return 0;
    if (now < until_ && std::ranges::find(open_, true) != open_.end()) return 0;
    return std::exchange(unexplained_, 0);
  }

private:
  std::uint64_t unexplained_ = 0;  // messages
  LocalTime until_{};
  std::array<bool, streams> open_{};  // streams that have not continued since
  std::array<std::int64_t, streams> reached_{};
};

}  // namespace lw
