#include "samples/universe.h"

#include <cmath>

namespace lw::cosmos {

Universe::Universe(const InitialConditions& start, const Cosmology& cosmology, int steps, Threads threads)
    : cosmology_(cosmology),
      start_(start.a),
      steps_(steps),
      threads_(threads),
      after_(displace(start, linear_density(start, cosmology, threads), cosmology, threads)) {
  before_ = after_;
}

double Universe::moment(int step) const {
  const double first = std::sqrt(start_);
  return step == steps_ ? 1 : std::pow(first + (1 - first) * step / steps_, 2);
}

const Particles& Universe::at(double a) {
  while (step_ < steps_ && after_.a < a) {
    before_ = after_;
    step_to(after_, moment(++step_), cosmology_, threads_);
  }
  interpolate_steps(before_, after_, a, cosmology_, threads_, between_);
  return between_;
}

}  // namespace lw::cosmos
