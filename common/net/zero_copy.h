// Sends that the kernel makes from the caller's memory (MSG_ZEROCOPY), and which of them have completed, so that their
// memory may change. One thread. Linux Documentation/networking/msg_zerocopy.rst.
#pragma once

#include "common/net/datagram_port.h"

#include <bitset>
#include <cstdint>

namespace lw {

class ZeroCopy {
public:
  static constexpr std::uint32_t outstanding_max = 1024;

  explicit ZeroCopy(DatagramPort& port) : port_(port) {}  // which must outlive this object

  // False if the kernel refuses.
  bool allow();
  // Whether another send may be made; false if too many have not completed.
  bool may_send();
  void count_send() { ++sent_; }

  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  // All sends up to this one have completed; asks the kernel.
  std::uint64_t done();
  // Of the completed sends, those that the kernel copied after all (loopback, a card without scatter-gather).
  [[nodiscard]] std::uint64_t copied() const { return copied_; }

private:
  bool take_notice();
  void mark(std::uint32_t first, std::uint32_t last);

  DatagramPort& port_;
  std::uint64_t sent_ = 0;
  std::uint64_t done_ = 0;  // without a gap
  std::uint64_t copied_ = 0;
  std::bitset<outstanding_max> ahead_;  // completed after a gap, by number modulo its size
};

}  // namespace lw
