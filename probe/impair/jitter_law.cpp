#include "probe/impair/jitter_law.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw {
namespace {

// Lomax (Pareto of the second kind): P(X > x) = (1 + x / scale)^-shape, of mean scale / (shape - 1).
constexpr double pareto_shape = 3;
double pareto_scale(double mean) { return mean * (pareto_shape - 1); }

// In (0, 1], for logarithms and negative powers.
double positive_uniform(std::mt19937_64& random) { return 1 - std::uniform_real_distribution<>(0, 1)(random); }

// P(X > x) = (1 + x / scale)^-shape, given X > from.
double lomax_beyond(double from, double scale, double shape, std::mt19937_64& random) {
  return (from + scale) * std::pow(positive_uniform(random), -1 / shape) - scale;
}

}  // namespace

double JitterLaw::share_below(double value) const {
  const double x = value / jitter_;
  switch (shape_) {
    case Jitter::uniform:
      return std::clamp((1 + x) / 2, 0.0, 1.0);
    case Jitter::normal:
      return std::erfc(-x / std::numbers::sqrt2) / 2;
    case Jitter::exponential:
      return x <= 0 ? 0 : 1 - std::exp(-x);
    case Jitter::pareto:
      return x <= 0 ? 0 : 1 - std::pow(1 + value / pareto_scale(jitter_), -pareto_shape);
  }
  return 0;
}

double JitterLaw::draw(std::mt19937_64& random) const {
  switch (shape_) {
    case Jitter::uniform:
      return std::uniform_real_distribution<>(-jitter_, jitter_)(random);
    case Jitter::normal:
      return std::normal_distribution<>(0, jitter_)(random);
    case Jitter::exponential:
      return -jitter_ * std::log(positive_uniform(random));
    case Jitter::pareto:
      return lomax_beyond(0, pareto_scale(jitter_), pareto_shape, random);
  }
  return 0;
}

// Each solves f(y) / f(max(from, 0)) = U for the density f and a uniform U; see WanderingDelay.
double JitterLaw::turn_above(double from, std::mt19937_64& random) const {
  switch (shape_) {
    case Jitter::uniform:  // turns anywhere at the same rate, on average once per width, and at the border
      return std::min(jitter_, from - 2 * jitter_ * std::log(positive_uniform(random)));
    case Jitter::normal: {  // f(y) ~ exp(-y^2 / (2 jitter^2))
      const double outside = std::max(from, 0.0);
      return std::sqrt(outside * outside - 2 * jitter_ * jitter_ * std::log(positive_uniform(random)));
    }
    case Jitter::exponential:  // f(y) ~ exp(-y / jitter)
      return from - jitter_ * std::log(positive_uniform(random));
    case Jitter::pareto:  // f(y) ~ (1 + y / scale)^-(shape + 1)
      return lomax_beyond(from, pareto_scale(jitter_), pareto_shape + 1, random);
  }
  return from;
}

double JitterLaw::turn_below(double from, std::mt19937_64& random) const {
  const bool symmetric = shape_ == Jitter::uniform || shape_ == Jitter::normal;
  return symmetric ? -turn_above(-from, random) : 0;
}

}  // namespace lw
