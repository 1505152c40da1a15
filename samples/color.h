// Colours for light: control points of our own, chosen so that brightness rises evenly and colour-blind people see the
// same order.
#pragma once

#include <array>
#include <cstdint>

namespace lw::cosmos {

using Rgb = std::array<float, 3>;  // 0 to 1, sRGB

// Density: black, indigo, magenta, orange, pale yellow.
Rgb density_color(float value);
// Speed: deep blue (still), white, orange (fast).
Rgb speed_color(float value);

}  // namespace lw::cosmos
