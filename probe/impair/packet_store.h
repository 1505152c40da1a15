// Memory for packets in the relay: slots of one size, taken and returned in any order. The slot returned
// last is taken first, so that a short path stays in the caches. Only used slots become resident. One
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lw {

class PacketStore {
public:
  static constexpr std::size_t slot_bytes = 9216;  // the largest datagram: a jumbo frame

  explicit PacketStore(std::size_t slots)
      : memory_(new std::byte[slots * slot_bytes]), slots_(slots) {  // not zeroed: pages are allocated when written
    free_.reserve(slots);
  }

  std::optional<std::uint32_t> take() {
    if (!free_.empty()) {
      const auto slot = free_.back();
      free_.pop_back();
      return slot;
    }
    if (fresh_ == slots_) return {};
    return static_cast<std::uint32_t>(fresh_++);
  }
  void give_back(std::uint32_t slot) { free_.push_back(slot); }
  [[nodiscard]] std::byte* at(std::uint32_t slot) { return memory_.get() + slot * slot_bytes; }

private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t slots_;
  std::size_t fresh_ = 0;  // slots from here on were never used
  std::vector<std::uint32_t> free_;
};

}  // namespace lw
