// A second stream from the flow's sender: parity or resends. It has its own SSRC and 16-bit numbers, consecutive for
// all packets that the sender's kernel accepted: packets with missing numbers were lost on the way, or dropped by this
// host's kernel. One thread; no allocation.
#pragma once

#include "common/metrics/sequence_tracker.h"
#include "common/metrics/varying_frames.h"
#include "common/wire/sequence.h"

#include <cstdint>
#include <optional>

namespace lw {

class SideStream {
public:
  // Takes a packet of the stream. With another SSRC, another stream begins; totals continue.
  SequenceTracker::Verdict take(std::uint32_t ssrc, std::uint16_t number) {
    const auto sequence = sequence_of(ssrc, number);
    frames_.end(sequence, sequences_);
    return sequences_.take(sequence);
  }
  // The same of a stream that has `numbers` for each frame, of which this one uses the first `packets`. `index`: of the
  // packet among these.
  SequenceTracker::Verdict take(std::uint32_t ssrc, std::uint16_t number, std::size_t index, std::size_t packets,
                                std::size_t numbers) {
    const auto sequence = sequence_of(ssrc, number);
    frames_.come(sequence - static_cast<std::int64_t>(index), static_cast<std::int64_t>(packets),
                 static_cast<std::int64_t>(numbers), sequences_);
    return sequences_.take(sequence);
  }
  void restart() {
    if (ssrc_) sequences_.begin_stream();
    ssrc_.reset();
    frames_.forget();
  }
  [[nodiscard]] SequenceTracker& sequences() { return sequences_; }
  [[nodiscard]] const SequenceTracker& sequences() const { return sequences_; }

private:
  std::int64_t sequence_of(std::uint32_t ssrc, std::uint16_t number) {
    if (ssrc_ != ssrc) restart();
    ssrc_ = ssrc;
    return sequences_.empty() ? std::int64_t{number} : unroll<16>(sequences_.highest(), number);
  }

  std::optional<std::uint32_t> ssrc_;
  SequenceTracker sequences_;
  VaryingFrames frames_;
};

}  // namespace lw
