// Which pixel groups of a band have arrived. Exact, however the packets are cut: a band counts as complete only when
// each of its pixels has arrived, and no pixel that has arrived is overwritten.
//
// Nearly all packets arrive in order, so usually a single number is enough: how far the band has arrived. Only groups
// that arrived beyond a gap have a bit each. One thread (the flow's); no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lw {

class Coverage {
public:
  explicit Coverage(std::size_t groups_max) : bits_((groups_max + bits_per_word - 1) / bits_per_word) {}

  // Nothing has arrived. Costs next to nothing after a band that arrived in order.
  void clear();
  // Groups [first, last) have arrived. Returns how many of them are new.
  std::size_t add(std::size_t first, std::size_t last);

  [[nodiscard]] std::size_t count() const { return prefix_ + beyond_; }
  // Whether all, or any, of [first, last) have arrived.
  [[nodiscard]] bool all(std::size_t first, std::size_t last) const;
  [[nodiscard]] bool any(std::size_t first, std::size_t last) const;
  // Whether anything has arrived beyond a gap.
  [[nodiscard]] bool has_gaps() const { return beyond_ > 0; }

private:
  static constexpr std::size_t bits_per_word = 64;

  // Calls `visit(word, mask)` for the words of the bits [first, last), until it returns false.
  template <class Visit>
  static bool for_each_word(std::size_t first, std::size_t last, Visit visit);
  void close_gap();

  std::size_t prefix_ = 0;            // all groups below this one have arrived; the bits are for the others
  std::size_t beyond_ = 0;            // groups that have arrived and are not below prefix_
  std::size_t first_set_ = SIZE_MAX;  // no bit below this one was set since clear()
  std::size_t last_set_ = 0;          // no bit from this one on was set since clear()
  std::vector<std::uint64_t> bits_;
};

}  // namespace lw
