// A particle-mesh simulation of structure formation: cloud-in-cell mass assignment, Poisson's equation by Fourier
// transform, leapfrog in the scale factor (Hockney and Eastwood 1981; Quinn et al. 1997, arXiv:astro-ph/9710043).
#pragma once

#include "samples/cosmology.h"
#include "samples/lattice.h"
#include "samples/threads.h"

#include <vector>

namespace lw::cosmos {

// Equal masses, one for each cell of the lattice and in its order.
struct Particles {
  Lattice lattice;
  double a = 1;  // scale factor
  std::vector<Vec3> positions;
  std::vector<Vec3> momenta;  // a^2 dx/dt, cells times today's Hubble rate
};

// -grad of a potential whose Laplacian is `source`, on the mesh.
struct VectorField {
  std::vector<float> x, y, z;
};
VectorField attraction(const Lattice& lattice, const std::vector<float>& source, Threads threads);

// Density contrast rho / mean - 1.
std::vector<float> density_contrast(const Particles& particles, Threads threads);

// One step from the particles' scale factor to `a`: drift half, kick, drift half, which is symplectic.
void step_to(Particles& particles, double a, const Cosmology& cosmology, Threads threads);

// The particles at a scale factor between two steps, along smooth curves (cubic Hermite).
void interpolate_steps(const Particles& before, const Particles& after, double a, const Cosmology& cosmology,
                       Threads threads, Particles& result);

}  // namespace lw::cosmos
