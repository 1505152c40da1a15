// The newest media packets of a flow by their extended sequence numbers, from which a relay resends them. Bounded: a
// packet replaces the one with a number lower by the number of places. One thread; no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

class PacketStore {
public:
  // Has room for at least `packets` of at most `packet_bytes_max` bytes.
  PacketStore(std::size_t packets, std::size_t packet_bytes_max);

  // A longer packet is not kept.
  void add(std::uint32_t sequence, std::span<const std::byte> packet);
  // Empty if it did not come, or was replaced. Valid until the next add().
  [[nodiscard]] std::span<const std::byte> find(std::uint32_t sequence) const;
  void forget();
  [[nodiscard]] std::size_t bytes() const { return memory_.size(); }

private:
  struct Entry {
    std::uint32_t sequence = 0;
    std::uint32_t bytes = 0;  // 0: none
  };
  [[nodiscard]] std::size_t place_of(std::uint32_t sequence) const { return sequence % entries_.size(); }

  const std::size_t packet_bytes_max_;
  std::vector<Entry> entries_;
  std::vector<std::byte> memory_;
};

}  // namespace lw
