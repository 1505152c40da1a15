// A particle-mesh simulation of structure formation in a periodic cube: cold dark matter from small random ripples to
// the cosmic web. Cloud-in-cell mass assignment, Poisson's equation by Fourier transform, leapfrog in the scale factor
// (Hockney and Eastwood 1981; Klypin and Holtzman 1997, astro-ph/9712217).
#pragma once

#include <cstdint>
#include <vector>

namespace lw::cosmos {

struct Vec3 {
  float x = 0, y = 0, z = 0;
};

struct SimulationOptions {
  int particles_per_side = 96;  // a cube of that many; a power of two divides the mesh evenly
  int mesh_side = 128;          // a power of two
  double box_mpc = 100;         // side of the cube, Mpc/h: sets the shape of the spectrum
  double sigma_today = 1.9;     // rms density contrast of the mesh cells by linear theory today
  double a_start = 0.05;
  std::uint64_t seed = 2010;
};

class Simulation {
public:
  explicit Simulation(const SimulationOptions& options);

  // One leapfrog step from the present scale factor to `a`.
  void step_to(double a);

  [[nodiscard]] double scale_factor() const { return a_; }
  [[nodiscard]] const std::vector<Vec3>& positions() const { return positions_; }  // in [0, 1)
  [[nodiscard]] const std::vector<Vec3>& momenta() const { return momenta_; }      // a^2 dx/dt
  // Density contrast on the mesh, delta = rho / mean - 1.
  [[nodiscard]] std::vector<float> density() const;
  [[nodiscard]] int mesh_side() const { return options_.mesh_side; }

private:
  void initial_conditions();
  void accelerate(double kick);

  SimulationOptions options_;
  double a_;
  std::vector<Vec3> positions_;
  std::vector<Vec3> momenta_;
};

// Cloud-in-cell assignment of equal masses: the sum over all cells is the number of particles. Sums are made in fixed
// point, so that the result does not depend on the order or the number of threads.
std::vector<float> assign_mass(const std::vector<Vec3>& positions, int side);

}  // namespace lw::cosmos
