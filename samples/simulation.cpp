#include "samples/simulation.h"

#include "samples/cosmology.h"
#include "samples/fourier.h"
#include "samples/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

namespace lw::cosmos {
namespace {

constexpr double fixed_point = 1 << 20;

float wrapped(float value) {
  value -= std::floor(value);
  return value < 1.0F ? value : 0.0F;
}

// The eight cells a particle's cloud lies in, and its share in each.
template <class Visit>
void for_cloud(const Vec3& position, int side, Visit visit) {
  const auto axis = [side](float value) {
    const float scaled = value * static_cast<float>(side) - 0.5F;
    const float floor = std::floor(scaled);
    const int cell = (static_cast<int>(floor) + side) & (side - 1);
    return std::array<std::pair<int, float>, 2>{
        {{cell, 1 - (scaled - floor)}, {(cell + 1) & (side - 1), scaled - floor}}};
  };
  const auto xs = axis(position.x);
  const auto ys = axis(position.y);
  const auto zs = axis(position.z);
  for (const auto& [z, wz] : zs)
    for (const auto& [y, wy] : ys)
      for (const auto& [x, wx] : xs) visit((static_cast<std::size_t>(z) * side + y) * side + x, wx * wy * wz);
}

// Normal deviates by Box and Muller from a generator whose sequence the standard fixes: the same on every machine.
class Normal {
public:
  explicit Normal(std::uint64_t seed) : random_(seed) {}
  std::complex<float> pair() {
    const double u = (static_cast<double>(random_() >> 11U) + 1) / 9007199254740993.0;
    const double v = static_cast<double>(random_() >> 11U) / 9007199254740992.0;
    const double radius = std::sqrt(-2 * std::log(u));
    return {static_cast<float>(radius * std::cos(2 * std::numbers::pi * v)),
            static_cast<float>(radius * std::sin(2 * std::numbers::pi * v))};
  }

private:
  std::mt19937_64 random_;
};

// Displacement or force fields from a Fourier-space scalar: component `axis` of i k f / k^2.
std::vector<float> gradient_of_inverse_laplacian(const Cube& spectrum, int axis) {
  const int n = spectrum.side();
  Cube field(n);
  parallel_ranges(n, [&](int begin, int end) {
    for (int z = begin; z < end; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const std::array<int, 3> k{wave_number(x, n), wave_number(y, n), wave_number(z, n)};
          const int k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
          // The Nyquist planes have no definite sign of k.
          if (k2 == 0 || std::abs(k[static_cast<std::size_t>(axis)]) == n / 2) continue;
          const float factor = static_cast<float>(k[static_cast<std::size_t>(axis)] / (2 * std::numbers::pi * k2));
          field.at(x, y, z) = Cube::Value(0, factor) * spectrum.at(x, y, z);
        }
  });
  field.inverse();
  std::vector<float> real(field.values().size());
  std::ranges::transform(field.values(), real.begin(), [](const Cube::Value& value) { return value.real(); });
  return real;
}

float interpolate(const std::vector<float>& field, const Vec3& position, int side) {
  float sum = 0;
  for_cloud(position, side, [&](std::size_t cell, float share) { sum += field[cell] * share; });
  return sum;
}

}  // namespace

std::vector<float> assign_mass(const std::vector<Vec3>& positions, int side) {
  const std::size_t cells = static_cast<std::size_t>(side) * side * side;
  const auto sums = std::make_unique<std::atomic<std::int64_t>[]>(cells);
  parallel_ranges(static_cast<int>(positions.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for_cloud(positions[static_cast<std::size_t>(i)], side, [&](std::size_t cell, float share) {
        sums[cell].fetch_add(std::llround(share * fixed_point), std::memory_order_relaxed);
      });
  });
  std::vector<float> mass(cells);
  for (std::size_t cell = 0; cell < cells; ++cell)
    mass[cell] = static_cast<float>(static_cast<double>(sums[cell].load(std::memory_order_relaxed)) / fixed_point);
  return mass;
}

Simulation::Simulation(const SimulationOptions& options) : options_(options), a_(options.a_start) {
  initial_conditions();
}

// A Gaussian random field with the spectrum of cold dark matter, and Zel'dovich's approximation: particles leave a
// lattice along x = q + D(a) psi(q), with momentum a^2 dx/dt = a^2 H D psi' .
void Simulation::initial_conditions() {
  const int n = options_.mesh_side;
  Cube field(n);
  Normal normal(options_.seed);
  for (std::size_t i = 0; i + 1 < field.values().size(); i += 2) {
    const auto pair = normal.pair();
    field.values()[i] = pair.real();
    field.values()[i + 1] = pair.imag();
  }
  field.forward();
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const double k =
            2 * std::numbers::pi / options_.box_mpc *
            std::sqrt(std::pow(wave_number(x, n), 2) + std::pow(wave_number(y, n), 2) + std::pow(wave_number(z, n), 2));
        // Beyond the lattice's own resolution ripples would only be noise.
        const double smooth = std::exp(-std::pow(k * options_.box_mpc / options_.particles_per_side * 0.5, 2));
        field.at(x, y, z) *= static_cast<float>(std::sqrt(power_spectrum(k, 0.21)) * smooth);
      }
  Cube density = field;
  density.inverse();
  double square = 0;
  for (const auto& value : density.values()) square += std::norm(value);
  const double scale = options_.sigma_today / std::sqrt(square / static_cast<double>(density.values().size()));
  for (auto& value : field.values()) value *= static_cast<float>(scale);

  std::array<std::vector<float>, 3> displacement;
  for (int axis = 0; axis < 3; ++axis)
    displacement[static_cast<std::size_t>(axis)] = gradient_of_inverse_laplacian(field, axis);
  const int side = options_.particles_per_side;
  positions_.resize(static_cast<std::size_t>(side) * side * side);
  momenta_.resize(positions_.size());
  const auto amplitude = static_cast<float>(growth(a_));
  // dD/dt = D H for D = a; half a step's drift is made good by the first kick.
  const auto momentum = static_cast<float>(a_ * a_ * hubble(a_) * growth(a_));
  std::size_t index = 0;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x, ++index) {
        const Vec3 lattice{(static_cast<float>(x) + 0.5F) / static_cast<float>(side),
                           (static_cast<float>(y) + 0.5F) / static_cast<float>(side),
                           (static_cast<float>(z) + 0.5F) / static_cast<float>(side)};
        const Vec3 psi{interpolate(displacement[0], lattice, n), interpolate(displacement[1], lattice, n),
                       interpolate(displacement[2], lattice, n)};
        positions_[index] = {wrapped(lattice.x + amplitude * psi.x), wrapped(lattice.y + amplitude * psi.y),
                             wrapped(lattice.z + amplitude * psi.z)};
        momenta_[index] = {momentum * psi.x, momentum * psi.y, momentum * psi.z};
      }
}

std::vector<float> Simulation::density() const {
  auto mass = assign_mass(positions_, options_.mesh_side);
  const float mean = static_cast<float>(positions_.size()) / static_cast<float>(mass.size());
  for (auto& cell : mass) cell = cell / mean - 1;
  return mass;
}

// dp/da = -grad(phi) / (a H) with laplace(phi) = (3/2) delta / a, in units of H0 = 1: `kick` is the integral of 1 /
// (a^2 H) da.
void Simulation::accelerate(double kick) {
  const int n = options_.mesh_side;
  Cube spectrum(n);
  const auto delta = density();
  std::ranges::copy(delta, spectrum.values().begin());
  spectrum.forward();
  for (int axis = 0; axis < 3; ++axis) {
    const auto force = gradient_of_inverse_laplacian(spectrum, axis);
    const auto factor = static_cast<float>(1.5 * kick);
    parallel_ranges(static_cast<int>(positions_.size()), [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        auto& momentum = momenta_[static_cast<std::size_t>(i)];
        float& component = axis == 0 ? momentum.x : axis == 1 ? momentum.y : momentum.z;
        component += factor * interpolate(force, positions_[static_cast<std::size_t>(i)], n);
      }
    });
  }
}

// Drift half, kick, drift half: symplectic, second order. With H = a^-3/2 the integrals of 1/(a^3 H) and 1/(a^2 H) over
// da are -2 a^-1/2 and 2 a^1/2.
void Simulation::step_to(double a) {
  const double middle = (a_ + a) / 2;
  const auto drift = [&](double from, double to) {
    const auto factor = static_cast<float>(2 / std::sqrt(from) - 2 / std::sqrt(to));
    parallel_ranges(static_cast<int>(positions_.size()), [&](int begin, int end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        positions_[i] = {wrapped(positions_[i].x + factor * momenta_[i].x),
                         wrapped(positions_[i].y + factor * momenta_[i].y),
                         wrapped(positions_[i].z + factor * momenta_[i].z)};
    });
  };
  drift(a_, middle);
  accelerate(2 * std::sqrt(a) - 2 * std::sqrt(a_));
  drift(middle, a);
  a_ = a;
}

}  // namespace lw::cosmos
