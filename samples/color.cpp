#include "samples/color.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace lw::cosmos {
namespace {

Rgb between(std::span<const Rgb> points, float value) {
  const float place = std::clamp(value, 0.0F, 1.0F) * static_cast<float>(points.size() - 1);
  const auto index = std::min(static_cast<std::size_t>(place), points.size() - 2);
  const float share = place - static_cast<float>(index);
  Rgb color{};
  for (std::size_t i = 0; i < 3; ++i) color[i] = points[index][i] * (1 - share) + points[index + 1][i] * share;
  return color;
}

}  // namespace

Rgb density_color(float value) {
  static constexpr std::array<Rgb, 7> points{{{0.004F, 0.004F, 0.02F},
                                              {0.05F, 0.04F, 0.20F},
                                              {0.22F, 0.07F, 0.42F},
                                              {0.53F, 0.14F, 0.43F},
                                              {0.85F, 0.32F, 0.26F},
                                              {0.98F, 0.63F, 0.20F},
                                              {0.99F, 0.97F, 0.78F}}};
  return between(points, value);
}

Rgb glow_color(float brightness, float heat) {
  static constexpr std::array<Rgb, 5> hues{
      {{0.10F, 0.25F, 0.75F}, {0.35F, 0.60F, 0.98F}, {0.85F, 0.90F, 1.0F}, {1.0F, 0.78F, 0.45F}, {1.0F, 0.50F, 0.15F}}};
  const Rgb hue = between(hues, heat);
  const float white = std::clamp((brightness - 0.75F) * 3, 0.0F, 0.85F);
  Rgb color{};
  for (std::size_t c = 0; c < 3; ++c) color[c] = std::clamp(brightness, 0.0F, 1.0F) * (hue[c] * (1 - white) + white);
  return color;
}

}  // namespace lw::cosmos
