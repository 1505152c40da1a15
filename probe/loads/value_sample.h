// Values of a distribution, in bounded memory: all of the first so many, and of more a sample in which each value has
// the same chance to be (Vitter's algorithm R, with the same random numbers each time). Number, sum, least and largest
// are of all.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace lw {

class ValueSample {
public:
  static constexpr std::size_t kept_max = std::size_t{1} << 18U;  // 2 MiB; 73 minutes of frames at 60 frame/s

  void add(double value) {
    ++count_;
    sum_ += value;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    if (kept_.size() < kept_max) {
      kept_.push_back(value);
    } else if (const auto place = std::uniform_int_distribution<std::size_t>(0, count_ - 1)(random_);
               place < kept_max) {
      kept_[place] = value;
    }
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  // Not of an empty one, like those that follow.
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }
  [[nodiscard]] double mean() const { return sum_ / static_cast<double>(count_); }
  [[nodiscard]] const std::vector<double>& kept() const { return kept_; }

private:
  std::vector<double> kept_;
  std::size_t count_ = 0;
  double sum_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::minstd_rand random_{1};
};

}  // namespace lw
