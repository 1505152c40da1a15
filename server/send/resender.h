// Resends lost packets of a flow (RFC 4588) from the frames that are kept, as its receivers request them, between
// frames and within a budget for each receiver. One thread (the flow's); no allocation after construction.
#pragma once

#include "common/base/moment.h"
#include "common/net/datagram_sender.h"
#include "common/srtp/packet_sealer.h"
#include "common/wire/media_packet.h"
#include "server/send/frame_packets.h"
#include "server/send/rate_budget.h"
#include "server/send/sent_frames.h"

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lw {

struct ResendTotals {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t refused = 0;  // requested, but no longer kept or over the budget
  std::uint64_t errors = 0;   // refused by the kernel
};

class Resender {
public:
  // Keeps up to `frames` frames for `keep` after their media time. `sealer`: of the flow, or null; must outlive this
  // object. Resends to each of the `receivers` are a separate stream: `ssrc` and the numbers after it, from sequence
  // number `first_sequence` on. Only packets that are handed to the kernel take a number, not those that wait for the
  // budget or are refused.
  Resender(std::size_t frames, Nanoseconds keep, PacketSealer* sealer, std::uint32_t ssrc, std::uint16_t first_sequence,
           std::size_t receivers = 1);

  // `packet_bytes`: of the stream's largest packet.
  void set_budget(std::size_t receiver, BitRate rate, std::size_t packet_bytes) {
    receivers_[receiver].budget.set_rate(rate, budget_depth, run_max * (packet_bytes + wire::resend_bytes));
  }
  SentFrames& sent() { return sent_; }
  // From now on in other streams, numbered as those of the constructor; requests for packets of the ones before are
  // dropped.
  void begin_stream(std::uint32_t ssrc, std::uint16_t first_sequence) {
    for (auto& receiver : receivers_) {
      receiver.wanted.clear();
      receiver.ssrc = ssrc++;
      receiver.sequence = first_sequence;
    }
  }
  // The receiver requests this packet.
  void want(std::size_t receiver, std::uint32_t sequence);
  // Sends the receiver the requested packets that may go now.
  void step(std::size_t receiver, DatagramSender& sender, const FramePackets& packets, const Moment& now);
  [[nodiscard]] bool has_work(std::size_t receiver) const { return !receivers_[receiver].wanted.empty(); }
  [[nodiscard]] bool has_work() const {
    return std::ranges::any_of(receivers_, [](const Receiver& one) { return !one.wanted.empty(); });
  }
  // When step() drops the oldest frame that is kept; there is one.
  [[nodiscard]] WallTime next_drop() const { return sent_.oldest() + keep_ + Nanoseconds{1}; }
  [[nodiscard]] const ResendTotals& totals(std::size_t receiver) const { return receivers_[receiver].totals; }

private:
  static constexpr std::size_t wanted_max = 4096;  // packets
  static constexpr std::size_t run_max = 8;        // packets sent with one call
  static constexpr std::chrono::milliseconds budget_depth{10};

  struct Receiver {
    std::uint32_t ssrc = 0;
    std::uint16_t sequence = 0;
    boost::circular_buffer<std::uint32_t> wanted{wanted_max};
    RateBudget budget{BitRate{0}, budget_depth};
    ResendTotals totals = {};
  };

  bool prepare(const Receiver& receiver, std::size_t place, const FramePackets& packets, std::uint32_t sequence);

  SentFrames sent_;
  const Nanoseconds keep_;
  PacketSealer* const sealer_;
  std::vector<Receiver> receivers_;
  std::array<std::vector<std::byte>, run_max> heads_;
  std::array<DatagramPieces, run_max> run_{};
};

}  // namespace lw
