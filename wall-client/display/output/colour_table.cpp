#include "wall-client/display/output/colour_table.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// From 0 to the last of `count` entries.
float on_axis(float value, float low, float high, std::size_t count) {
  return std::clamp((value - low) / (high - low), 0.0F, 1.0F) * static_cast<float>(count - 1);
}

float on_curve(const std::vector<Rgb>& curves, std::size_t channel, float place) {
  const auto first = std::min(static_cast<std::size_t>(place), curves.size() - 2);
  const float part = place - static_cast<float>(first);
  return curves[first][channel] + (curves[first + 1][channel] - curves[first][channel]) * part;
}

}  // namespace

Rgb ColourTable::operator()(const Rgb& colour) const {
  std::array<unsigned, 3> cell{};
  Rgb part{};
  for (std::size_t i = 0; i < 3; ++i) {
    float place = on_axis(colour[i], low[i], high[i], curves.empty() ? side : curves.size());
    if (!curves.empty()) place = std::clamp(on_curve(curves, i, place), 0.0F, 1.0F) * static_cast<float>(side - 1);
    cell[i] = std::min(static_cast<unsigned>(place), side - 2);
    part[i] = place - static_cast<float>(cell[i]);
  }
  // The cell's tetrahedron that the colour lies in: from its lowest corner along the axes, the largest part first.
  std::array<std::size_t, 3> axes{0, 1, 2};
  const auto order = [&](std::size_t a, std::size_t b) {
    if (part[axes[a]] < part[axes[b]]) std::swap(axes[a], axes[b]);
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  Rgb mixed{};
  float before = 1;
  for (std::size_t corner = 0; corner <= 3; ++corner) {
    const float next = corner < 3 ? part[axes[corner]] : 0;
    const auto& entry = at(cell[0], cell[1], cell[2]);
    for (std::size_t i = 0; i < 3; ++i) mixed[i] += (before - next) * entry[i];
    before = next;
    if (corner < 3) ++cell[axes[corner]];
  }
  if (last_curves.empty()) return mixed;
  for (std::size_t i = 0; i < 3; ++i)
    mixed[i] = on_curve(last_curves, i, on_axis(std::sqrt(std::max(mixed[i], 0.0F)), 0, 1, last_curves.size()));
  return mixed;
}

bool ColourTable::is_identity() const {
  constexpr float tolerance = 0.25F / 255;
  const auto is_near = [&](float a, float b) { return std::abs(a - b) <= tolerance; };
  const auto matches = [&](const Rgb& in) {
    const auto out = (*this)(in);
    return is_near(out[0], in[0]) && is_near(out[1], in[1]) && is_near(out[2], in[2]);
  };
  for (std::size_t i = 0; i < 3; ++i)
    if (low[i] > 0 || high[i] < 1) return false;
  // Between its entries the cube alone is what lies between them; with curves that is not so.
  constexpr unsigned steps_with_curves = 17;
  const unsigned steps = curves.empty() && last_curves.empty() ? side : std::max(side, steps_with_curves);
  const auto input = [&](std::size_t i, unsigned n) {
    return std::clamp(low[i] + (high[i] - low[i]) * static_cast<float>(n) / static_cast<float>(steps - 1), 0.0F, 1.0F);
  };
  for (unsigned blue = 0; blue < steps; ++blue)
    for (unsigned green = 0; green < steps; ++green)
      for (unsigned red = 0; red < steps; ++red)
        if (!matches({input(0, red), input(1, green), input(2, blue)})) return false;
  for (std::size_t n = 0; n < curves.size(); ++n) {
    const float grey = static_cast<float>(n) / static_cast<float>(curves.size() - 1);
    if (!matches({grey, grey, grey})) return false;
  }
  return true;
}

}  // namespace lw
