// Transfers values between particles and a mesh: a particle is a cloud as large as a cell, shared by the eight cells
// that it overlaps (Hockney and Eastwood 1981). Mesh values are at the middles of cells.
#pragma once

#include "samples/lattice.h"
#include "samples/threads.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace lw::cosmos {

// The cells that a cloud overlaps, and its share in each; the shares add up to 1.
struct Cloud {
  Cloud(const Lattice& lattice, const Vec3& position) {
    const auto axis = [](float value, int side, std::array<int, 2>& pair, std::array<float, 2>& parts) {
      const float floor = std::floor(value - 0.5F);
      const int cell = static_cast<int>(floor);
      parts[1] = value - 0.5F - floor;
      parts[0] = 1 - parts[1];
      pair[0] = cell < 0 ? side - 1 : cell;
      pair[1] = pair[0] + 1 < side ? pair[0] + 1 : 0;
    };
    std::array<int, 2> x{}, y{}, z{};
    std::array<float, 2> wx{}, wy{}, wz{};
    axis(position.x, lattice.nx, x, wx);
    axis(position.y, lattice.ny, y, wy);
    axis(position.z, lattice.nz, z, wz);
    for (std::size_t i = 0; i < 8; ++i) {
      cells[i] = lattice.index(x[i & 1U], y[i >> 1U & 1U], z[i >> 2U]);
      shares[i] = wx[i & 1U] * wy[i >> 1U & 1U] * wz[i >> 2U];
    }
  }

  std::array<std::size_t, 8> cells{};
  std::array<float, 8> shares{};
};

// Sums value(i) of each particle over the mesh. Uses fixed point, so that the result depends neither on the order nor
// on the number of threads, and nothing is lost: the last of a cloud's cells gets the remainder.
template <class Value>
std::vector<float> deposit(const Lattice& lattice, const std::vector<Vec3>& positions, Threads threads,
                           const Value& value) {
  constexpr float one = 1 << 24;
  std::vector<std::vector<std::int64_t>> sums(static_cast<std::size_t>(threads.count));
  const auto count = positions.size();
  threads.each([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    const auto parts = static_cast<std::size_t>(threads.count);
    auto& sum = sums[part];
    sum.resize(lattice.size());
    for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
      const Cloud cloud(lattice, positions[i]);
      const float scaled = value(i) * one;
      auto left = static_cast<std::int64_t>(scaled);
      for (std::size_t corner = 0; corner < 7; ++corner) {
        const auto share = static_cast<std::int64_t>(scaled * cloud.shares[corner]);
        sum[cloud.cells[corner]] += share;
        left -= share;
      }
      sum[cloud.cells[7]] += left;
    }
  });
  std::vector<float> mesh(lattice.size());
  threads.ranges(static_cast<int>(mesh.size()), [&](int begin, int end) {
    for (auto cell = static_cast<std::size_t>(begin); cell < static_cast<std::size_t>(end); ++cell) {
      std::int64_t sum = 0;
      for (const auto& part : sums) sum += part[cell];
      mesh[cell] = static_cast<float>(sum) / one;
    }
  });
  return mesh;
}

// The mesh's value at a position, with the same shares.
inline float interpolate(const std::vector<float>& mesh, const Cloud& cloud) {
  float sum = 0;
  for (std::size_t i = 0; i < 8; ++i) sum += mesh[cloud.cells[i]] * cloud.shares[i];
  return sum;
}

}  // namespace lw::cosmos
