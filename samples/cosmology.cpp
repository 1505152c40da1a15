#include "samples/cosmology.h"

#include <cmath>

namespace lw::cosmos {
namespace {

// Simpson's rule; the integrands are smooth.
template <class Function>
double integral(double from, double to, const Function& f) {
  constexpr int intervals = 256;  // even
  const double step = (to - from) / intervals;
  double sum = f(from) + f(to);
  for (int i = 1; i < intervals; ++i) sum += f(from + i * step) * (i % 2 == 1 ? 4 : 2);
  return sum * step / 3;
}

double growth_integral(const Cosmology& cosmology, double a) {
  return integral(0, a, [&](double s) { return s > 0 ? std::pow(s * cosmology.hubble(s), -3) : 0; });
}

}  // namespace

double Cosmology::hubble(double a) const { return std::sqrt(omega_matter / (a * a * a) + 1 - omega_matter); }

double Cosmology::growth(double a) const { return hubble(a) * growth_integral(*this, a) / growth_integral(*this, 1); }

double Cosmology::growth_rate(double a) const {
  const double rate = hubble(a);
  const double slope = -1.5 * omega_matter / (a * a * a * rate * rate);  // d ln H / d ln a
  return slope + 1 / (a * a * rate * rate * rate * growth_integral(*this, a));
}

double Cosmology::drift(double from, double to) const {
  return integral(from, to, [&](double a) { return 1 / (a * a * a * hubble(a)); });
}

double Cosmology::kick(double from, double to) const {
  return integral(from, to, [&](double a) { return 1 / (a * a * hubble(a)); });
}

}  // namespace lw::cosmos
