#include "ingest/transfer_curve.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// BT.1886 for a display whose black is black, as BT.2087 uses it.
constexpr double sdr_gamma = 2.4;

namespace pq {  // BT.2100, table 4
constexpr double m1 = 2610.0 / 16384;
constexpr double m2 = 2523.0 / 4096 * 128;
constexpr double c1 = 3424.0 / 4096;
constexpr double c2 = 2413.0 / 4096 * 32;
constexpr double c3 = 2392.0 / 4096 * 32;

double to_light(double code) {
  const auto power = std::pow(code, 1 / m2);
  return std::pow(std::max(power - c1, 0.0) / (c2 - c3 * power), 1 / m1) * (pq_peak / reference_white);
}
double to_code(double light) {
  const auto power = std::pow(light * (reference_white / pq_peak), m1);
  return std::pow((c1 + c2 * power) / (1 + c3 * power), m2);
}
}  // namespace pq

namespace hlg {  // BT.2100, table 5
constexpr double a = 0.17883277;
constexpr double b = 1 - 4 * a;
const double c = 0.5 - a * std::log(4 * a);

double to_light(double code) { return code <= 0.5 ? code * code / 3 : (std::exp((code - c) / a) + b) / 12; }
double to_code(double light) { return light <= 1.0 / 12 ? std::sqrt(3 * light) : a * std::log(12 * light - b) + c; }
}  // namespace hlg

}  // namespace

double light_of(Transfer transfer, double code) {
  switch (transfer) {
    case Transfer::pq:
      return pq::to_light(code);
    case Transfer::hlg:
      return hlg::to_light(code);
    case Transfer::sdr:
      break;
  }
  return std::pow(code, sdr_gamma);
}

double code_of(Transfer transfer, double light) {
  light = std::max(light, 0.0);
  switch (transfer) {
    case Transfer::pq:
      return std::min(pq::to_code(light), 1.0);
    case Transfer::hlg:
      return std::min(hlg::to_code(light), 1.0);
    case Transfer::sdr:
      break;
  }
  return std::min(std::pow(light, 1 / sdr_gamma), 1.0);
}

}  // namespace lw
