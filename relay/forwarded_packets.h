// The newest media packets of a stream that a relay forwarded: a server and its standby send the same packets, and the
// site gets each of them once. One thread; no allocation after construction.
//
// Law: add() refuses a packet only if one with the same number and the same stamp was added before. Packets with equal
// numbers but other stamps are different ones: for an instant, two servers can send different frames with the same
// numbers, while one of them does not know yet what the other has been told. A packet whose first copy is no longer
// known counts as new: its receiver recognizes it.
#pragma once

#include "common/wire/media_packet.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

class ForwardedPackets {
public:
  // Knows at least this many of the newest packets.
  explicit ForwardedPackets(std::size_t packets);

  // False if it was added before. `sequence`: the extended number of a packet with this stamp.
  bool add(std::uint32_t sequence, const FrameStamp& stamp);
  // Another stream begins.
  void forget();
  [[nodiscard]] std::size_t bytes() const { return entries_.size() * sizeof(Entry); }

private:
  struct Entry {
    FrameStamp stamp;
    std::uint32_t sequence = 0;
    bool used = false;
  };
  std::vector<Entry> entries_;  // by number; a power of two, so that numbers keep their places when they wrap
};

}  // namespace lw
