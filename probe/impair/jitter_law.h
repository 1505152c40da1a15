// The distributions of jitter: single draws, and the turning points of a walk whose position has the same distribution
// (WanderingDelay). Values are nanoseconds beyond the configured delay. Pure.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <random>

namespace lw {

enum class Jitter : std::uint8_t {
  uniform,      // delay +- jitter, evenly
  normal,       // mean delay, standard deviation jitter
  exponential,  // delay + exponential of mean jitter
  pareto,       // delay + Lomax of shape 3 and mean jitter: rarely large, but then much larger
};

// Each density rises up to its mode and falls beyond it. The mode is 0; the uniform density is flat.
class JitterLaw {
public:
  JitterLaw(Jitter shape, Nanoseconds jitter) : shape_(shape), jitter_(static_cast<double>(jitter.count())) {}

  [[nodiscard]] Nanoseconds jitter() const { return Nanoseconds{static_cast<std::int64_t>(jitter_)}; }
  // The probability of a draw below `value`.
  [[nodiscard]] double share_below(double value) const;
  [[nodiscard]] double draw(std::mt19937_64& random) const;
  // Where a walk that goes up or down from `from` turns.
  [[nodiscard]] double turn_above(double from, std::mt19937_64& random) const;
  [[nodiscard]] double turn_below(double from, std::mt19937_64& random) const;

  bool operator==(const JitterLaw&) const = default;

private:
  Jitter shape_;
  double jitter_;
};

}  // namespace lw
