#include "wall-client/assemble/coverage.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace lw {

template <class Visit>
bool Coverage::for_each_word(std::size_t first, std::size_t last, Visit visit) {
  while (first < last) {
    const auto word = first / bits_per_word;
    const auto end = std::min(last, (word + 1) * bits_per_word);
    auto mask = ~std::uint64_t{0} << (first % bits_per_word);
    if (const auto over = (word + 1) * bits_per_word - end; over > 0) mask &= ~std::uint64_t{0} >> over;
    if (!visit(word, mask)) return false;
    first = end;
  }
  return true;
}

void Coverage::clear() {
  if (first_set_ < last_set_) {
    const auto begin = bits_.begin() + static_cast<std::ptrdiff_t>(first_set_ / bits_per_word);
    const auto end = bits_.begin() + static_cast<std::ptrdiff_t>((last_set_ + bits_per_word - 1) / bits_per_word);
    std::fill(begin, end, 0);
  }
  prefix_ = beyond_ = last_set_ = 0;
  first_set_ = SIZE_MAX;
}

std::size_t Coverage::add(std::size_t first, std::size_t last) {
  assert(last <= bits_.size() * bits_per_word);
  first = std::max(first, prefix_);
  if (first >= last) return 0;
  const auto before = count();
  if (first > prefix_) {
    for_each_word(first, last, [&](std::size_t word, std::uint64_t mask) {
      beyond_ += static_cast<std::size_t>(std::popcount(mask & ~bits_[word]));
      bits_[word] |= mask;
      return true;
    });
    first_set_ = std::min(first_set_, first);
    last_set_ = std::max(last_set_, last);
  } else if (beyond_ == 0) {
    prefix_ = last;  // the usual case: the next in order
  } else {
    for_each_word(first, last, [&](std::size_t word, std::uint64_t mask) {
      beyond_ -= static_cast<std::size_t>(std::popcount(mask & bits_[word]));
      return true;
    });
    prefix_ = last;
    close_gap();
  }
  return count() - before;
}

// Groups directly after the prefix may have arrived earlier.
void Coverage::close_gap() {
  const auto from = prefix_;
  for_each_word(prefix_, last_set_, [&](std::size_t word, std::uint64_t mask) {
    const auto missing = mask & ~bits_[word];
    const auto reached = missing == 0 ? std::min((word + 1) * bits_per_word, last_set_)
                                      : word * bits_per_word + static_cast<std::size_t>(std::countr_zero(missing));
    prefix_ = std::max(prefix_, reached);
    return missing == 0;
  });
  beyond_ -= prefix_ - from;
}

bool Coverage::all(std::size_t first, std::size_t last) const {
  return for_each_word(std::max(first, prefix_), last,
                       [&](std::size_t word, std::uint64_t mask) { return (bits_[word] & mask) == mask; });
}

bool Coverage::any(std::size_t first, std::size_t last) const {
  if (first < last && first < prefix_) return true;
  if (beyond_ == 0) return false;
  return !for_each_word(first, last, [&](std::size_t word, std::uint64_t mask) { return (bits_[word] & mask) == 0; });
}

}  // namespace lw
