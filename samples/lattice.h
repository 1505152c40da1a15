// The lattice for everything: mesh cells and, at the start, one particle in the middle of each. Lengths are in cells;
// space is periodic.
#pragma once

#include <cmath>
#include <cstddef>

namespace lw::cosmos {

struct Vec3 {
  float x = 0, y = 0, z = 0;

  Vec3 operator+(const Vec3& other) const { return {x + other.x, y + other.y, z + other.z}; }
  Vec3 operator-(const Vec3& other) const { return {x - other.x, y - other.y, z - other.z}; }
  Vec3 operator*(float factor) const { return {x * factor, y * factor, z * factor}; }
};
inline float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3 normalized(const Vec3& a) { return a * (1 / std::sqrt(dot(a, a))); }

// The equivalent position in [0, side) in periodic space.
inline float wrapped(float value, int side) {
  const auto length = static_cast<float>(side);
  value -= length * std::floor(value / length);
  return value < length ? value : 0.0F;
}
// The nearest of a difference's periodic images, in [-side/2, side/2].
inline float nearest(float difference, int side) {
  const auto length = static_cast<float>(side);
  return difference - length * std::round(difference / length);
}

struct Lattice {
  int nx = 0, ny = 0, nz = 0;

  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
  }
  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(nx) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] Vec3 wrap(const Vec3& p) const { return {wrapped(p.x, nx), wrapped(p.y, ny), wrapped(p.z, nz)}; }
  [[nodiscard]] Vec3 shortest(const Vec3& d) const { return {nearest(d.x, nx), nearest(d.y, ny), nearest(d.z, nz)}; }
};

}  // namespace lw::cosmos
