#include "samples/fourier.h"

#include <unsupported/Eigen/FFT>

#include <algorithm>

namespace lw::cosmos {
namespace {

using Complex = std::complex<float>;
using Line = Eigen::FFT<float>;

// Transforms lines that lie across memory, a few neighbours at a time for the cache's sake.
class AcrossLines {
public:
  AcrossLines(int length, std::size_t stride)
      : length_(static_cast<std::size_t>(length)), stride_(stride), in_(length_ * block), out_(length_) {}

  // `count` lines beginning at `first`, `first + 1`, ...
  template <bool Inverse>
  void transform(Complex* first, int count) {
    for (int done = 0; done < count; done += static_cast<int>(block)) {
      const auto lines = std::min(block, static_cast<std::size_t>(count - done));
      Complex* const begin = first + done;
      for (std::size_t i = 0; i < length_; ++i)
        for (std::size_t line = 0; line < lines; ++line) in_[line * length_ + i] = begin[i * stride_ + line];
      for (std::size_t line = 0; line < lines; ++line) {
        Complex* const from = &in_[line * length_];
        if constexpr (Inverse)
          fft_.inv(out_.data(), from, static_cast<Eigen::Index>(length_));
        else
          fft_.fwd(out_.data(), from, static_cast<Eigen::Index>(length_));
        std::ranges::copy(out_, from);
      }
      for (std::size_t i = 0; i < length_; ++i)
        for (std::size_t line = 0; line < lines; ++line) begin[i * stride_ + line] = in_[line * length_ + i];
    }
  }

private:
  static constexpr std::size_t block = 8;
  std::size_t length_;
  std::size_t stride_;
  std::vector<Complex> in_;
  std::vector<Complex> out_;
  Line fft_;
};

template <bool Inverse>
void transform_along_z(Spectrum& spectrum, Threads threads) {
  const Lattice half = spectrum.half();
  threads.ranges(half.ny, [&](int begin, int end) {
    AcrossLines lines(half.nz, half.index(0, 0, 1));
    for (int y = begin; y < end; ++y) lines.transform<Inverse>(&spectrum.values[half.index(0, y, 0)], half.nx);
  });
}

}  // namespace

Spectrum forward(const Lattice& lattice, const std::vector<float>& field, Threads threads) {
  Spectrum spectrum(lattice);
  const Lattice half = spectrum.half();
  threads.ranges(lattice.nz, [&](int begin, int end) {
    Line fft;
    fft.SetFlag(Line::HalfSpectrum);
    AcrossLines lines(half.ny, half.index(0, 1, 0));
    for (int z = begin; z < end; ++z) {
      for (int y = 0; y < lattice.ny; ++y)
        fft.fwd(&spectrum.values[half.index(0, y, z)], &field[lattice.index(0, y, z)], lattice.nx);
      lines.transform<false>(&spectrum.values[half.index(0, 0, z)], half.nx);
    }
  });
  transform_along_z<false>(spectrum, threads);
  return spectrum;
}

std::vector<float> inverse(Spectrum spectrum, Threads threads) {
  const Lattice lattice = spectrum.lattice;
  const Lattice half = spectrum.half();
  std::vector<float> field(lattice.size());
  transform_along_z<true>(spectrum, threads);
  threads.ranges(lattice.nz, [&](int begin, int end) {
    Line fft;
    fft.SetFlag(Line::HalfSpectrum);
    AcrossLines lines(half.ny, half.index(0, 1, 0));
    for (int z = begin; z < end; ++z) {
      lines.transform<true>(&spectrum.values[half.index(0, 0, z)], half.nx);
      for (int y = 0; y < lattice.ny; ++y)
        fft.inv(&field[lattice.index(0, y, z)], &spectrum.values[half.index(0, y, z)], lattice.nx);
    }
  });
  return field;
}

}  // namespace lw::cosmos
