// A function of a positive number as a table, read by linear interpolation: 512 steps for each doubling from 2^-32 to
// 2^7, so that its relative accuracy is the same for dark and for bright light. Numbers beyond are those of its ends.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lw {

class FloatTable {
public:
  template <class Function>
  explicit FloatTable(Function function) : values_(steps + 2) {
    for (std::uint32_t step = 0; step < values_.size(); ++step)
      values_[step] = static_cast<float>(function(double{std::bit_cast<float>(least + (step << step_bits))}));
  }

  float operator()(float x) const {
    // The bits of positive floats are in the order of the floats.
    const auto bits = std::clamp(std::bit_cast<std::uint32_t>(x > 0 ? x : 0.0F), least, most) - least;
    const auto step = bits >> step_bits;
    const auto part = static_cast<float>(bits & ((1U << step_bits) - 1)) * (1.0F / (1U << step_bits));
    return values_[step] + (values_[step + 1] - values_[step]) * part;
  }

private:
  static constexpr unsigned mantissa_bits = 23;
  static constexpr unsigned step_bits = mantissa_bits - 9;
  static constexpr std::uint32_t least = std::bit_cast<std::uint32_t>(0x1p-32F);
  static constexpr std::uint32_t most = std::bit_cast<std::uint32_t>(0x1p7F);
  static constexpr std::uint32_t steps = (most - least) >> step_bits;

  std::vector<float> values_;
};

}  // namespace lw
