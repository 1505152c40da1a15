#include "relay/forwarded_packets.h"

#include <algorithm>
#include <bit>

namespace lw {

ForwardedPackets::ForwardedPackets(std::size_t packets) : entries_(std::bit_ceil(std::max<std::size_t>(packets, 1))) {}

bool ForwardedPackets::add(std::uint32_t sequence, const FrameStamp& stamp) {
  auto& entry = entries_[sequence % entries_.size()];
  if (entry.used && entry.sequence == sequence && entry.stamp == stamp) return false;
  entry = {stamp, sequence, true};
  return true;
}

void ForwardedPackets::forget() { std::ranges::fill(entries_, Entry{}); }

}  // namespace lw
