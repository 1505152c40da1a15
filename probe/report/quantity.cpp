#include "probe/report/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lw {
namespace {

struct Prefix {
  std::string_view unit;
  double factor;
};

constexpr std::array times{Prefix{"s", 1}, Prefix{"ms", 1e-3}, Prefix{"µs", 1e-6}, Prefix{"ns", 1e-9}};
constexpr std::array sizes{Prefix{"TiB", 0x1p40}, Prefix{"GiB", 0x1p30}, Prefix{"MiB", 0x1p20}, Prefix{"KiB", 0x1p10}};
constexpr double ticks_max = 9;

// The first prefix of which the value has at least one; otherwise the last.
std::string text_with(std::span<const Prefix> prefixes, double value) {
  for (const auto& prefix : prefixes)
    if (std::abs(value) >= prefix.factor * (1 - 1e-9) || &prefix == &prefixes.back())
      return fmt::format("{:.4g} {}", value / prefix.factor, prefix.unit);
  return {};
}

// Sizes of packets stay bytes: 8900 B.
std::string size_text(double bytes) {
  constexpr double bytes_until = 10'000;
  const bool is_binary = std::fmod(bytes, 1024) == 0;
  if (std::abs(bytes) < bytes_until && !is_binary) return fmt::format("{:.5g} B", bytes);
  return text_with(sizes, bytes);
}

// The least step of 1, 2 or 5 times a power of ten, or power of two, that is not below this.
double round_step(double least, bool binary) {
  if (binary) return std::exp2(std::max(std::ceil(std::log2(least)), 0.0));
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double mantissa : {1.0, 2.0, 5.0})
    if (mantissa * decade >= least * (1 - 1e-9)) return mantissa * decade;
  return 10 * decade;
}

std::vector<double> linear_ticks(double low, double high, bool binary) {
  const double step = round_step((high - low) / ticks_max, binary);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) ticks.push_back(i * step);
  return ticks;
}

// Powers of `base`, every so many of them that there are few.
std::vector<double> power_ticks(double low, double high, double base) {
  const double first = std::ceil(std::log(low) / std::log(base) - 1e-9);
  const double last = std::floor(std::log(high) / std::log(base) + 1e-9);
  const double stride = std::max(std::ceil((last - first + 1) / ticks_max), 1.0);
  std::vector<double> ticks;
  for (double power = std::ceil(first / stride) * stride; power <= last; power += stride)
    ticks.push_back(std::pow(base, power));
  return ticks;
}

// 1, 2 and 5 of each decade.
std::vector<double> decade_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double power = std::floor(std::log10(low)); power <= std::log10(high); ++power)
    for (const double mantissa : {1.0, 2.0, 5.0})
      if (const double tick = mantissa * std::pow(10, power); tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
        ticks.push_back(tick);
  return ticks;
}

}  // namespace

bool has_prefixes(std::string_view unit) {
  return unit == "bytes" || std::ranges::find(times, unit, &Prefix::unit) != times.end();
}

std::string quantity_text(double value, std::string_view unit) {
  if (!has_prefixes(unit)) return fmt::format("{:.5g}{}{}", value, unit.empty() ? "" : " ", unit);
  if (value == 0) return "0";
  if (unit == "bytes") return size_text(value);
  return text_with(times, value * std::ranges::find(times, unit, &Prefix::unit)->factor);
}

std::vector<double> round_ticks(double low, double high, bool log, std::string_view unit) {
  const bool binary = unit == "bytes";
  if (!std::isfinite(low) || !std::isfinite(high) || high <= low) return {};
  auto ticks = log && binary ? power_ticks(low, high, 2) : log ? power_ticks(low, high, 10) : std::vector<double>{};
  constexpr std::size_t enough = 3;
  if (log && !binary && ticks.size() < enough) ticks = decade_ticks(low, high);
  // A range without a power in it is short, and nearly linear.
  if (!log || ticks.size() < 2) ticks = linear_ticks(low, high, binary);
  return ticks;
}

}  // namespace lw
