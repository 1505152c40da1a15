// The packets of one key that were accepted (RFC 3711 section 3.3.2): each number is accepted once, and none that is
// too far behind the newest. One thread. Inside common/srtp only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

class ReplayWindow {
public:
  // Two paths may differ by this many packets.
  static constexpr std::uint64_t packets = 8192;
  enum class Verdict : unsigned char { fresh, repeated, too_old };

  [[nodiscard]] Verdict look(std::uint64_t number) const {
    if (number >= end_) return Verdict::fresh;
    if (end_ - number > packets) return Verdict::too_old;
    return (word_of(number) & bit_of(number)) == 0 ? Verdict::fresh : Verdict::repeated;
  }

  // A fresh number whose packet is authentic.
  void take(std::uint64_t number) {
    if (number >= end_) {
      const auto oldest = number < packets ? 0 : number + 1 - packets;
      for (auto passed = std::max(end_, oldest); passed < number; ++passed) word_of(passed) &= ~bit_of(passed);
      end_ = number + 1;
    }
    word_of(number) |= bit_of(number);
  }

private:
  static constexpr std::uint64_t word_bits = 64;

  static std::uint64_t bit_of(std::uint64_t number) { return std::uint64_t{1} << number % word_bits; }
  static std::size_t place_of(std::uint64_t number) { return number % packets / word_bits; }
  [[nodiscard]] std::uint64_t word_of(std::uint64_t number) const { return accepted_[place_of(number)]; }
  std::uint64_t& word_of(std::uint64_t number) { return accepted_[place_of(number)]; }

  std::uint64_t end_ = 0;  // after the newest
  std::array<std::uint64_t, packets / word_bits> accepted_{};
};

}  // namespace lw
