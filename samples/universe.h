// The simulation for the scenes, at increasing scale factors.
#pragma once

#include "samples/initial_conditions.h"
#include "samples/particle_mesh.h"

namespace lw::cosmos {

class Universe {
public:
  // `steps` leapfrog steps from the start to today, even in the square root of the scale factor.
  Universe(const InitialConditions& start, const Cosmology& cosmology, int steps, Threads threads);

  // The particles at `a`, which must not decrease from call to call.
  const Particles& at(double a);
  [[nodiscard]] const Lattice& box() const { return after_.lattice; }
  [[nodiscard]] double start() const { return start_; }

private:
  [[nodiscard]] double moment(int step) const;

  Cosmology cosmology_;
  double start_;
  int steps_;
  Threads threads_;
  int step_ = 0;
  Particles before_;
  Particles after_;
  Particles between_;
};

}  // namespace lw::cosmos
