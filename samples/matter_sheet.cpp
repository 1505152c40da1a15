#include "samples/matter_sheet.h"

#include "samples/cloud_in_cell.h"

#include <algorithm>
#include <cmath>

namespace lw::cosmos {
namespace {

// The patch between a particle and its next neighbours along each axis.
Patch patch_at(const Particles& particles, int x, int y, int z) {
  const Lattice& lattice = particles.lattice;
  const Vec3 origin = particles.positions[lattice.index(x, y, z)];
  const std::array<int, 2> xs{x, x + 1 < lattice.nx ? x + 1 : 0};
  const std::array<int, 2> ys{y, y + 1 < lattice.ny ? y + 1 : 0};
  const std::array<int, 2> zs{z, z + 1 < lattice.nz ? z + 1 : 0};
  Vec3 sum;
  std::array<Vec3, 3> high{};  // sums over the four corners on the far side along each axis
  for (std::size_t corner = 1; corner < 8; ++corner) {
    const auto other = lattice.index(xs[corner & 1U], ys[corner >> 1U & 1U], zs[corner >> 2U]);
    const Vec3 place = lattice.shortest(particles.positions[other] - origin);
    sum = sum + place;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if ((corner >> axis & 1U) != 0) high[axis] = high[axis] + place;
  }
  Patch patch;
  patch.middle = lattice.wrap(origin + sum * 0.125F);
  for (std::size_t axis = 0; axis < 3; ++axis) patch.edges[axis] = high[axis] * 0.5F - sum * 0.25F;
  return patch;
}

}  // namespace

void make_sheet(const Particles& particles, Threads threads, std::vector<Patch>& sheet) {
  const Lattice& lattice = particles.lattice;
  sheet.resize(lattice.size());
  threads.ranges(lattice.nz, [&](int begin, int end) {
    for (int z = begin; z < end; ++z)
      for (int y = 0; y < lattice.ny; ++y)
        for (int x = 0; x < lattice.nx; ++x) sheet[lattice.index(x, y, z)] = patch_at(particles, x, y, z);
  });
}

std::vector<PatchState> measure(const Particles& particles, const std::vector<Patch>& sheet, Threads threads) {
  const auto& momenta = particles.momenta;
  const auto mesh = [&](const auto& value) { return deposit(particles.lattice, particles.positions, threads, value); };
  const auto mass = mesh([](std::size_t) { return 1.0F; });
  const auto x = mesh([&](std::size_t i) { return momenta[i].x; });
  const auto y = mesh([&](std::size_t i) { return momenta[i].y; });
  const auto z = mesh([&](std::size_t i) { return momenta[i].z; });
  const auto square = mesh([&](std::size_t i) { return dot(momenta[i], momenta[i]); });
  std::vector<PatchState> states(sheet.size());
  threads.ranges(static_cast<int>(sheet.size()), [&](int begin, int end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const Cloud cloud(particles.lattice, sheet[i].middle);
      const float density = interpolate(mass, cloud);
      states[i].density = density;
      if (density <= 0) continue;
      const Vec3 mean = Vec3{interpolate(x, cloud), interpolate(y, cloud), interpolate(z, cloud)} * (1 / density);
      const float variance = interpolate(square, cloud) / density - dot(mean, mean);
      states[i].dispersion = std::sqrt(std::max(0.0F, variance) / 3);
    }
  });
  return states;
}

}  // namespace lw::cosmos
