// Resends lost packets of a flow (RFC 4588) from the frames that are kept, as its receiver requests them, between
// frames and within a budget. One thread (the flow's); no allocation after construction.
#pragma once

#include "common/base/moment.h"
#include "common/net/datagram_sender.h"
#include "common/srtp/packet_sealer.h"
#include "common/wire/media_packet.h"
#include "server/send/rate_budget.h"
#include "server/send/sent_frames.h"

#include <boost/circular_buffer.hpp>

#include <array>
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
  // object. Resends are a separate stream: `ssrc`, from sequence number `first_sequence` on. Only packets that are
  // handed to the kernel take a number, not those that wait for the budget or are refused.
  Resender(std::size_t frames, Nanoseconds keep, PacketSealer* sealer, std::uint32_t ssrc,
           std::uint16_t first_sequence);

  // `packet_bytes`: of the stream's largest packet.
  void set_budget(BitRate rate, std::size_t packet_bytes) {
    budget_.set_rate(rate, budget_depth, run_max * (packet_bytes + wire::resend_bytes));
  }
  SentFrames& sent() { return sent_; }
  // From now on in another stream; requests for packets of the one before are dropped.
  void begin_stream(std::uint32_t ssrc, std::uint16_t first_sequence) {
    wanted_.clear();
    ssrc_ = ssrc;
    sequence_ = first_sequence;
  }
  // The receiver requests this packet.
  void want(std::uint32_t sequence);
  // Sends requested packets that may go now. `band`: offset of the flow's pixels in a frame.
  void step(DatagramSender& sender, const PacketTemplates& templates, std::size_t band, const Moment& now);
  [[nodiscard]] bool has_work() const { return !wanted_.empty(); }
  // When step() drops the oldest frame that is kept; there is one.
  [[nodiscard]] WallTime next_drop() const { return sent_.oldest() + keep_ + Nanoseconds{1}; }
  [[nodiscard]] const ResendTotals& totals() const { return totals_; }

private:
  static constexpr std::size_t wanted_max = 4096;  // packets
  static constexpr std::size_t run_max = 8;        // packets sent with one call
  static constexpr std::chrono::milliseconds budget_depth{10};

  bool prepare(std::size_t slot, const PacketTemplates& templates, std::size_t band, std::uint32_t sequence);

  SentFrames sent_;
  const Nanoseconds keep_;
  PacketSealer* const sealer_;
  boost::circular_buffer<std::uint32_t> wanted_;
  RateBudget budget_;
  std::uint32_t ssrc_;
  std::uint16_t sequence_;
  std::array<std::vector<std::byte>, run_max> heads_;
  std::array<DatagramPieces, run_max> run_{};
  ResendTotals totals_;
};

}  // namespace lw
