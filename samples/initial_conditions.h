// The start of the simulation: a lattice of particles with small displacements.
#pragma once

#include "samples/particle_mesh.h"

#include <cstdint>
#include <vector>

namespace lw::cosmos {

struct InitialConditions {
  Lattice lattice;
  double cell = 0.5;    // side of a mesh cell, Mpc/h
  double a = 1.0 / 31;  // scale factor at the start: redshift 30
  std::uint64_t seed = 2'147'483'647;
};

// A Gaussian random field with the cosmology's power spectrum: today's density contrast by linear growth.
std::vector<float> linear_density(const InitialConditions& start, const Cosmology& cosmology, Threads threads);

// Zel'dovich's approximation (1970): particles leave the lattice along straight lines, x = q + D(a) psi(q), where the
// divergence of psi is -delta today.
Particles displace(const InitialConditions& start, const std::vector<float>& density, const Cosmology& cosmology,
                   Threads threads);

}  // namespace lw::cosmos
