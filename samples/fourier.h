// Three-dimensional discrete Fourier transforms of real fields, line by line; the transform of a line is Eigen's (its
// bundled kissfft).
#pragma once

#include "samples/lattice.h"
#include "samples/threads.h"

#include <array>
#include <complex>
#include <numbers>
#include <vector>

namespace lw::cosmos {

// The half of a real field's transform that determines it: x from 0 to nx/2.
struct Spectrum {
  explicit Spectrum(const Lattice& of) : lattice(of), values(half().size()) {}

  [[nodiscard]] Lattice half() const { return {lattice.nx / 2 + 1, lattice.ny, lattice.nz}; }

  Lattice lattice;  // of the real field
  std::vector<std::complex<float>> values;
};

// nx must be a multiple of 4. The inverse divides by the number of cells, so that it reverses the forward transform; it
// consumes the spectrum.
Spectrum forward(const Lattice& lattice, const std::vector<float>& field, Threads threads);
std::vector<float> inverse(Spectrum spectrum, Threads threads);

// Calls visit(value, k) for each value; k in radians per cell, and 0 along an axis at its Nyquist frequency, where its
// sign is undefined (what derivatives need).
template <class Visit>
void for_modes(Spectrum& spectrum, Threads threads, const Visit& visit) {
  const Lattice half = spectrum.half();
  const auto wave_number = [](int index, int side) {
    const int number = index <= side / 2 ? index : index - side;
    return 2 * number == side ? 0.0F
                              : 2 * std::numbers::pi_v<float> * static_cast<float>(number) / static_cast<float>(side);
  };
  threads.ranges(half.nz, [&](int begin, int end) {
    for (int z = begin; z < end; ++z)
      for (int y = 0; y < half.ny; ++y)
        for (int x = 0; x < half.nx; ++x)
          visit(spectrum.values[half.index(x, y, z)],
                Vec3{wave_number(x, spectrum.lattice.nx), wave_number(y, half.ny), wave_number(z, half.nz)});
  });
}

}  // namespace lw::cosmos
