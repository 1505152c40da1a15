// A distribution in bounded memory: all values up to a limit; beyond it a random sample with equal chances
// (Vitter's algorithm R, with the same random numbers each time). Count, sum, minimum and maximum cover all
// values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace lw {

inline constexpr std::size_t values_kept_max = std::size_t{1} << 18U;  // 73 minutes of frames at 60 frame/s

template <class Value>
class Sample {
public:
  void add(const Value& value) {
    ++count_;
    if (kept_.size() < values_kept_max) {
      kept_.push_back(value);
    } else if (const auto place = std::uniform_int_distribution<std::size_t>(0, count_ - 1)(random_);
               place < values_kept_max) {
      kept_[place] = value;
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const std::vector<Value>& kept() const { return kept_; }

private:
  std::vector<Value> kept_;
  std::size_t count_ = 0;
  std::minstd_rand random_{1};
};

class ValueSample {
public:
  void add(double value) {
    sample_.add(value);
    sum_ += value;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }
  [[nodiscard]] bool empty() const { return count() == 0; }
  [[nodiscard]] std::size_t count() const { return sample_.count(); }
  // Not for an empty sample; the same for the next three.
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }
  [[nodiscard]] double mean() const { return sum_ / static_cast<double>(count()); }
  [[nodiscard]] const std::vector<double>& kept() const { return sample_.kept(); }

private:
  Sample<double> sample_;
  double sum_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

}  // namespace lw
