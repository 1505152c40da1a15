// The expanding universe the samples simulate: Einstein-de Sitter (Omega_m = 1), in units of the box: length 1, time
// such that the Hubble rate today is 1. Linear density growth is then proportional to the scale factor a.
#pragma once

#include <cmath>

namespace lw::cosmos {

// H(a) / H0.
inline double hubble(double a) { return std::pow(a, -1.5); }
// Linear growth factor D(a), 1 today.
inline double growth(double a) { return a; }

// The power spectrum of cold dark matter, up to a factor: n = 1 times the squared transfer function of Bardeen, Bond,
// Kaiser and Szalay (1986), equation G3. `k` in h/Mpc, gamma = Omega_m h.
double power_spectrum(double k, double gamma);

}  // namespace lw::cosmos
