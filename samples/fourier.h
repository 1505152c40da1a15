// Three-dimensional discrete Fourier transforms of cubes with sides that are powers of two, over two threads. The one-
// dimensional transform is Eigen's (its bundled kissfft).
#pragma once

#include <complex>
#include <vector>

namespace lw::cosmos {

class Cube {
public:
  using Value = std::complex<float>;
  explicit Cube(int side) : side_(side), values_(static_cast<std::size_t>(side) * side * side) {}

  [[nodiscard]] int side() const { return side_; }
  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * side_ + y) * side_ + x;
  }
  Value& at(int x, int y, int z) { return values_[index(x, y, z)]; }
  [[nodiscard]] const Value& at(int x, int y, int z) const { return values_[index(x, y, z)]; }
  std::vector<Value>& values() { return values_; }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

  // In place; the inverse divides by the number of cells.
  void forward();
  void inverse();

private:
  template <bool Inverse>
  void transform();
  int side_;
  std::vector<Value> values_;
};

// The wave number that a Fourier index stands for: 0, 1, ..., n/2, ..., -1.
inline int wave_number(int index, int side) { return index <= side / 2 ? index : index - side; }

}  // namespace lw::cosmos
