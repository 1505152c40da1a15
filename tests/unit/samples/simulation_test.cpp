// Pins the physics of the sample universe against what is known in closed form.
#include "samples/cosmology.h"
#include "samples/fourier.h"
#include "samples/particle_mesh.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>

using namespace lw::cosmos;

namespace {

std::vector<float> noise(const Lattice& lattice) {
  std::minstd_rand random(5);
  std::vector<float> field(lattice.size());
  for (auto& value : field) value = static_cast<float>(random() % 1000) / 1000 - 0.5F;
  return field;
}

Particles at_rest(const Lattice& lattice) {
  Particles particles;
  particles.lattice = lattice;
  particles.a = 0.1;
  for (int z = 0; z < lattice.nz; ++z)
    for (int y = 0; y < lattice.ny; ++y)
      for (int x = 0; x < lattice.nx; ++x)
        particles.positions.push_back(
            {static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, static_cast<float>(z) + 0.5F});
  particles.momenta.resize(lattice.size());
  return particles;
}

}  // namespace

TEST_CASE("the inverse transform undoes the forward one") {
  const Lattice lattice{12, 8, 10};
  const auto field = noise(lattice);
  const auto back = inverse(forward(lattice, field, {2}), {2});
  for (std::size_t i = 0; i < field.size(); ++i) REQUIRE(back[i] == Approx(field[i]).margin(1e-5));
}

TEST_CASE("a plane wave of matter attracts along itself with the analytic force") {
  const Lattice lattice{32, 8, 8};
  const auto k = 2 * std::numbers::pi_v<float> / 32;
  std::vector<float> source(lattice.size());
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 32; ++x) source[lattice.index(x, y, z)] = std::cos(k * static_cast<float>(x));
  const auto force = attraction(lattice, source, {2});
  // Laplacian phi = cos kx: phi = -cos kx / k^2, and the force -phi' = -sin kx / k.
  for (int x = 0; x < 32; ++x) {
    CHECK(force.x[lattice.index(x, 3, 5)] == Approx(-std::sin(k * static_cast<float>(x)) / k).margin(1e-3));
    CHECK(force.y[lattice.index(x, 3, 5)] == Approx(0).margin(1e-4));
  }
}

TEST_CASE("evenly spread matter does not move, and none is lost") {
  const Lattice lattice{16, 16, 16};
  auto particles = at_rest(lattice);
  for (const float contrast : density_contrast(particles, {2})) REQUIRE(contrast == Approx(0).margin(1e-4));
  step_to(particles, 0.2, Cosmology{}, {2});
  const auto expected = at_rest(lattice);
  for (std::size_t i = 0; i < lattice.size(); ++i)
    REQUIRE(particles.positions[i].x == Approx(expected.positions[i].x).margin(1e-3));

  particles.positions[7] = {3.3F, 4.4F, 5.5F};
  double sum = 0;
  for (const float contrast : density_contrast(particles, {2})) sum += contrast;
  CHECK(sum == Approx(0).margin(1e-2));
}

TEST_CASE("a small wave grows as linear theory says") {
  const Lattice lattice{32, 8, 8};
  const Cosmology cosmology;
  auto particles = at_rest(lattice);
  const auto k = 2 * std::numbers::pi / 32;
  const double amplitude = 0.02;  // of the displacement, in cells
  // The growing mode: displacement D(a) s, momentum a^2 dx/dt = a^2 H f D s.
  const double a = particles.a;
  const double rate = a * a * cosmology.hubble(a) * cosmology.growth_rate(a);
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    const double displacement = amplitude * std::sin(k * particles.positions[i].x);
    particles.positions[i].x += static_cast<float>(displacement);
    particles.momenta[i].x = static_cast<float>(displacement * rate);
  }
  for (int step = 1; step <= 20; ++step) step_to(particles, 0.1 + 0.01 * step, cosmology, {2});
  const auto rest = at_rest(lattice);
  double grown = 0;
  for (std::size_t i = 0; i < rest.positions.size(); ++i)
    grown += 2 * (particles.positions[i].x - rest.positions[i].x) * std::sin(k * rest.positions[i].x) /
             static_cast<double>(rest.positions.size());
  CHECK(grown / amplitude == Approx(cosmology.growth(0.3) / cosmology.growth(0.1)).epsilon(0.03));
}

TEST_CASE("the universe is the same with any number of threads") {
  const Lattice lattice{16, 16, 16};
  auto alone = at_rest(lattice);
  std::minstd_rand random(3);
  for (auto& p : alone.positions) p.y += static_cast<float>(random() % 100) / 200;
  auto together = alone;
  step_to(alone, 0.12, Cosmology{}, {1});
  step_to(together, 0.12, Cosmology{}, {3});
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    REQUIRE(alone.positions[i].y == together.positions[i].y);
    REQUIRE(alone.momenta[i].x == together.momenta[i].x);
  }
}
