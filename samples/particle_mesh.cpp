#include "samples/particle_mesh.h"

#include "samples/cloud_in_cell.h"
#include "samples/fourier.h"

namespace lw::cosmos {
namespace {

template <class Body>
void for_particles(std::size_t count, Threads threads, const Body& body) {
  threads.ranges(static_cast<int>(count), [&](int begin, int end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) body(i);
  });
}

void drift(Particles& particles, double factor, Threads threads) {
  const auto f = static_cast<float>(factor);
  for_particles(particles.positions.size(), threads, [&](std::size_t i) {
    particles.positions[i] = particles.lattice.wrap(particles.positions[i] + particles.momenta[i] * f);
  });
}

void kick(Particles& particles, double factor, Threads threads) {
  const auto force = attraction(particles.lattice, density_contrast(particles, threads), threads);
  const auto f = static_cast<float>(factor);
  for_particles(particles.positions.size(), threads, [&](std::size_t i) {
    const Cloud cloud(particles.lattice, particles.positions[i]);
    const Vec3 pull{interpolate(force.x, cloud), interpolate(force.y, cloud), interpolate(force.z, cloud)};
    particles.momenta[i] = particles.momenta[i] + pull * f;
  });
}

}  // namespace

// In Fourier space phi = -source / k^2, and -grad phi = i k source / k^2.
VectorField attraction(const Lattice& lattice, const std::vector<float>& source, Threads threads) {
  const Spectrum spectrum = forward(lattice, source, threads);
  const auto component = [&](float Vec3::*axis) {
    Spectrum pull = spectrum;
    for_modes(pull, threads, [&](std::complex<float>& value, const Vec3& k) {
      const float square = dot(k, k);
      value *= std::complex<float>(0, square > 0 ? k.*axis / square : 0);
    });
    return inverse(std::move(pull), threads);
  };
  return {component(&Vec3::x), component(&Vec3::y), component(&Vec3::z)};
}

std::vector<float> density_contrast(const Particles& particles, Threads threads) {
  auto density = deposit(particles.lattice, particles.positions, threads, [](std::size_t) { return 1.0F; });
  for (auto& cell : density) cell -= 1;  // one particle per cell on average
  return density;
}

// The Laplacian of the peculiar potential is (3/2) Omega_m delta / a.
void step_to(Particles& particles, double a, const Cosmology& cosmology, Threads threads) {
  const double middle = (particles.a + a) / 2;
  drift(particles, cosmology.drift(particles.a, middle), threads);
  kick(particles, 1.5 * cosmology.omega_matter * cosmology.kick(particles.a, a), threads);
  drift(particles, cosmology.drift(middle, a), threads);
  particles.a = a;
}

// In the unit of time of the momenta.
void interpolate_steps(const Particles& before, const Particles& after, double a, const Cosmology& cosmology,
                       Threads threads, Particles& result) {
  const double whole = cosmology.drift(before.a, after.a);
  const auto length = static_cast<float>(whole);
  const auto t = whole > 0 ? static_cast<float>(cosmology.drift(before.a, a) / whole) : 0.0F;
  result.lattice = before.lattice;
  result.a = a;
  result.positions.resize(before.positions.size());
  result.momenta.resize(before.positions.size());
  const float end = t * t * (3 - 2 * t);
  const float leave = t * (1 - t) * (1 - t) * length;
  const float arrive = t * t * (t - 1) * length;
  for_particles(before.positions.size(), threads, [&](std::size_t i) {
    const Vec3 way = before.lattice.shortest(after.positions[i] - before.positions[i]);
    const Vec3 place = before.positions[i] + way * end + before.momenta[i] * leave + after.momenta[i] * arrive;
    result.positions[i] = before.lattice.wrap(place);
    result.momenta[i] = before.momenta[i] * (1 - t) + after.momenta[i] * t;
  });
}

}  // namespace lw::cosmos
