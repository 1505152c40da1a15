// A set of the newest frames of a stream, by their ticks (in media packets), with a span of up to 64. Used for the
// frames that a node holds and those that the server commits ([sync] mode = "wall"; docs/protocol.md).
#pragma once

#include "common/wire/sequence.h"

#include <cstdint>
#include <cstdlib>

namespace lw {

class TickSet {
public:
  static constexpr unsigned span = 64;

  TickSet() = default;
  TickSet(std::uint16_t newest, std::uint64_t mask) : newest_(newest), mask_(mask) {}

  // Drops ticks that are more than 64 older than the newest. A tick far from all others belongs to another stream: the
  // set begins again with it.
  void add(std::uint16_t tick) {
    const auto ahead = distance_16(newest_, tick);
    if (mask_ == 0 || ahead >= static_cast<int>(span)) {
      newest_ = tick;
      mask_ = 1;
    } else if (ahead > 0) {
      mask_ = (mask_ << static_cast<unsigned>(ahead)) | 1U;
      newest_ = tick;
    } else if (-ahead < static_cast<int>(span)) {
      mask_ |= std::uint64_t{1} << static_cast<unsigned>(-ahead);
    }
  }
  // Those of another set of the same stream; one that is far from this one replaces it.
  void add(const TickSet& others) {
    const auto ahead = distance_16(newest_, others.newest_);
    if (mask_ == 0 || std::abs(ahead) >= static_cast<int>(span)) {
      if (others.mask_ != 0) *this = others;
    } else if (ahead > 0) {
      *this = {others.newest_, others.mask_ | mask_ << static_cast<unsigned>(ahead)};
    } else {
      mask_ |= others.mask_ << static_cast<unsigned>(-ahead);
    }
  }
  [[nodiscard]] bool contains(std::uint16_t tick) const {
    const auto age = static_cast<std::uint16_t>(newest_ - tick);
    return age < span && ((mask_ >> age) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return mask_ == 0; }
  [[nodiscard]] std::uint16_t newest() const { return newest_; }
  [[nodiscard]] std::uint64_t mask() const { return mask_; }  // bit i: newest - i; bit 0 is set unless all are clear
  bool operator==(const TickSet&) const = default;

private:
  std::uint16_t newest_ = 0;
  std::uint64_t mask_ = 0;
};

}  // namespace lw
