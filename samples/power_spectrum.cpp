#include "samples/power_spectrum.h"

#include <cmath>
#include <numbers>

namespace lw::cosmos {

PowerSpectrum::PowerSpectrum(const Cosmology& cosmology) : gamma_(cosmology.omega_matter * cosmology.h) {
  const double unscaled = sigma(8);
  amplitude_ = cosmology.sigma8 * cosmology.sigma8 / (unscaled * unscaled);
}

double PowerSpectrum::transfer(double q) {
  if (q < 1e-9) return 1;
  const double poly = 1 + 3.89 * q + std::pow(16.1 * q, 2) + std::pow(5.46 * q, 3) + std::pow(6.71 * q, 4);
  return std::log(1 + 2.34 * q) / (2.34 * q) * std::pow(poly, -0.25);
}

double PowerSpectrum::shape(double k) const {
  const double t = transfer(k / gamma_);
  return k * t * t;
}

// sigma^2 is the integral over ln k of k^3 P(k) W^2 / (2 pi^2), W the Fourier transform of a sphere.
double PowerSpectrum::sigma(double radius) const {
  constexpr int steps = 4000;
  const double from = std::log(1e-5);
  const double to = std::log(1e3);
  const double step = (to - from) / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double k = std::exp(from + (i + 0.5) * step);
    const double x = k * radius;
    const double window = x < 1e-2 ? 1 - x * x / 10 : 3 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
    sum += k * k * k * (*this)(k)*window * window * step;
  }
  return std::sqrt(sum / (2 * std::numbers::pi * std::numbers::pi));
}

}  // namespace lw::cosmos
