#include "samples/fourier.h"

#include "samples/parallel.h"

#include <unsupported/Eigen/FFT>

namespace lw::cosmos {
namespace {

template <bool Inverse>
void transform_lines(Cube::Value* first, std::size_t stride, int side, Eigen::FFT<float>& fft,
                     std::vector<Cube::Value>& in, std::vector<Cube::Value>& out) {
  for (int i = 0; i < side; ++i) in[static_cast<std::size_t>(i)] = first[static_cast<std::size_t>(i) * stride];
  if constexpr (Inverse)
    fft.inv(out.data(), in.data(), side);
  else
    fft.fwd(out.data(), in.data(), side);
  for (int i = 0; i < side; ++i) first[static_cast<std::size_t>(i) * stride] = out[static_cast<std::size_t>(i)];
}

}  // namespace

template <bool Inverse>
void Cube::transform() {
  const int n = side_;
  const std::size_t plane = static_cast<std::size_t>(n) * n;
  const auto pass = [&](auto line) {
    parallel_ranges(n, [&](int begin, int end) {
      Eigen::FFT<float> fft;
      std::vector<Value> in(static_cast<std::size_t>(n));
      std::vector<Value> out(static_cast<std::size_t>(n));
      for (int a = begin; a < end; ++a)
        for (int b = 0; b < n; ++b) line(a, b, fft, in, out);
    });
  };
  pass([&](int z, int y, auto& fft, auto& in, auto& out) {
    transform_lines<Inverse>(&values_[index(0, y, z)], 1, n, fft, in, out);
  });
  pass([&](int z, int x, auto& fft, auto& in, auto& out) {
    transform_lines<Inverse>(&values_[index(x, 0, z)], static_cast<std::size_t>(n), n, fft, in, out);
  });
  pass([&](int y, int x, auto& fft, auto& in, auto& out) {
    transform_lines<Inverse>(&values_[index(x, y, 0)], plane, n, fft, in, out);
  });
}

void Cube::forward() { transform<false>(); }
void Cube::inverse() { transform<true>(); }

}  // namespace lw::cosmos
