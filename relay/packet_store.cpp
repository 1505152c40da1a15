#include "relay/packet_store.h"

#include <algorithm>
#include <bit>

namespace lw {

// A power of two, so that numbers keep their places when they wrap.
PacketStore::PacketStore(std::size_t packets, std::size_t packet_bytes_max)
    : packet_bytes_max_(packet_bytes_max),
      entries_(std::bit_ceil(std::max<std::size_t>(packets, 1))),
      memory_(entries_.size() * packet_bytes_max) {}

void PacketStore::add(std::uint32_t sequence, std::span<const std::byte> packet) {
  if (packet.size() > packet_bytes_max_) return;
  const auto place = place_of(sequence);
  entries_[place] = {sequence, static_cast<std::uint32_t>(packet.size())};
  std::ranges::copy(packet, memory_.data() + place * packet_bytes_max_);
}

std::span<const std::byte> PacketStore::find(std::uint32_t sequence) const {
  const auto place = place_of(sequence);
  const auto& entry = entries_[place];
  if (entry.sequence != sequence) return {};
  return {memory_.data() + place * packet_bytes_max_, entry.bytes};
}

void PacketStore::forget() { std::ranges::fill(entries_, Entry{}); }

}  // namespace lw
