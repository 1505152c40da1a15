#include "samples/initial_conditions.h"

#include "samples/fourier.h"
#include "samples/power_spectrum.h"

#include <cmath>
#include <numbers>
#include <random>

namespace lw::cosmos {
namespace {

// Normal deviates by Box and Muller, from a generator whose sequence the standard defines.
std::vector<float> white_noise(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11U) + 0.5) / 9007199254740992.0; };
  std::vector<float> noise(count);
  for (std::size_t i = 0; i < count; i += 2) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    noise[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < count) noise[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
  return noise;
}

}  // namespace

std::vector<float> linear_density(const InitialConditions& start, const Cosmology& cosmology, Threads threads) {
  const PowerSpectrum power(cosmology);
  Spectrum field = forward(start.lattice, white_noise(start.lattice.size(), start.seed), threads);
  const double volume = std::pow(start.cell, 3);
  for_modes(field, threads, [&](std::complex<float>& value, const Vec3& k) {
    const double length = std::sqrt(static_cast<double>(dot(k, k))) / start.cell;
    value *= static_cast<float>(length > 0 ? std::sqrt(power(length) / volume) : 0);
  });
  return inverse(std::move(field), threads);
}

Particles displace(const InitialConditions& start, const std::vector<float>& density, const Cosmology& cosmology,
                   Threads threads) {
  const Lattice& lattice = start.lattice;
  const auto psi = attraction(lattice, density, threads);
  const double growth = cosmology.growth(start.a);
  const auto moved = static_cast<float>(growth);
  const auto speed =
      static_cast<float>(start.a * start.a * cosmology.hubble(start.a) * cosmology.growth_rate(start.a) * growth);
  Particles particles{lattice, start.a, {}, {}};
  particles.positions.reserve(lattice.size());
  particles.momenta.reserve(lattice.size());
  for (int z = 0; z < lattice.nz; ++z)
    for (int y = 0; y < lattice.ny; ++y)
      for (int x = 0; x < lattice.nx; ++x) {
        const auto cell = lattice.index(x, y, z);
        const Vec3 along{psi.x[cell], psi.y[cell], psi.z[cell]};
        const Vec3 middle{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, static_cast<float>(z) + 0.5F};
        particles.positions.push_back(lattice.wrap(middle + along * moved));
        particles.momenta.push_back(along * speed);
      }
  return particles;
}

}  // namespace lw::cosmos
