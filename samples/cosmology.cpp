#include "samples/cosmology.h"

namespace lw::cosmos {

double power_spectrum(double k, double gamma) {
  if (k <= 0) return 0;
  const double q = k / gamma;
  const double poly = 1 + 3.89 * q + std::pow(16.1 * q, 2) + std::pow(5.46 * q, 3) + std::pow(6.71 * q, 4);
  const double transfer = std::log(1 + 2.34 * q) / (2.34 * q) * std::pow(poly, -0.25);
  return k * transfer * transfer;
}

}  // namespace lw::cosmos
