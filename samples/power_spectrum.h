// The strength of the initial fluctuations at each wavelength.
#pragma once

#include "samples/cosmology.h"

namespace lw::cosmos {

// Cold dark matter: the primordial spectrum P ~ k times the square of the transfer function of Bardeen, Bond, Kaiser
// and Szalay (1986, ApJ 304, 15), equation G3, with the shape parameter Omega_m h; extrapolated linearly to today.
class PowerSpectrum {
public:
  explicit PowerSpectrum(const Cosmology& cosmology);

  // k in h/Mpc, the result in (Mpc/h)^3.
  [[nodiscard]] double operator()(double k) const { return amplitude_ * shape(k); }
  // rms density contrast in spheres of this radius, Mpc/h.
  [[nodiscard]] double sigma(double radius) const;
  static double transfer(double q);

private:
  [[nodiscard]] double shape(double k) const;
  double gamma_;
  double amplitude_ = 1;
};

}  // namespace lw::cosmos
