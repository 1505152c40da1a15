// A stream beside the flow's, from the same sender: parity or resends. It has an SSRC and 16-bit numbers of its own,
// without gaps for all packets that the sender handed to its kernel, so that what is missing was lost on the way, or
// dropped by this host's kernel. One thread; no allocation.
#pragma once

#include "common/metrics/sequence_tracker.h"
#include "common/wire/sequence.h"

#include <cstdint>
#include <optional>

namespace lw {

class SideStream {
public:
  // A packet of the stream. When its SSRC changes, another stream begins; totals continue.
  SequenceTracker::Verdict take(std::uint32_t ssrc, std::uint16_t number) {
    if (ssrc_ != ssrc) restart();
    ssrc_ = ssrc;
    const auto sequence = sequences_.empty() ? std::int64_t{number} : unroll<16>(sequences_.highest(), number);
    return sequences_.take(sequence);
  }
  void restart() {
    if (ssrc_) sequences_.begin_stream();
    ssrc_.reset();
  }
  [[nodiscard]] SequenceTracker& sequences() { return sequences_; }
  [[nodiscard]] const SequenceTracker& sequences() const { return sequences_; }

private:
  std::optional<std::uint32_t> ssrc_;
  SequenceTracker sequences_;
};

}  // namespace lw
