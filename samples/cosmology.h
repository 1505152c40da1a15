// The expanding universe: flat, with the matter density, Hubble constant and normalization of the CosmoGrid simulation
// (Ishiyama et al. 2013, arXiv:1101.2020). The unit of time is the inverse of the Hubble rate today.
#pragma once

namespace lw::cosmos {

struct Cosmology {
  double omega_matter = 0.3;  // the rest is a cosmological constant
  double h = 0.7;             // Hubble constant in 100 km/s/Mpc
  double sigma8 = 0.8;        // rms linear density contrast today in spheres of 8 Mpc/h

  // H(a) / H0 at the scale factor a, 1 today.
  [[nodiscard]] double hubble(double a) const;
  // Linear growth of density contrasts D(a), 1 today: H times the integral of da / (a H)^3 (Heath 1977).
  [[nodiscard]] double growth(double a) const;
  // d ln D / d ln a.
  [[nodiscard]] double growth_rate(double a) const;
  // Factor from momenta a^2 dx/dt to displacements between two scale factors: the integral of da / (a^3 H).
  [[nodiscard]] double drift(double from, double to) const;
  // Factor from forces at fixed comoving positions to momenta: the integral of da / (a^2 H).
  [[nodiscard]] double kick(double from, double to) const;
};

}  // namespace lw::cosmos
