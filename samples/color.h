// Colour maps for light: custom control points, chosen so that brightness rises evenly and colour-blind people see the
// same order.
#pragma once

#include <array>

namespace lw::cosmos {

using Rgb = std::array<float, 3>;  // 0 to 1, sRGB

// Density, 0 to 1: black, indigo, magenta, orange, pale yellow.
Rgb density_color(float value);
// The colour of light with a brightness from 0 to 1, by the temperature of its source from 0 to 1: from deep blue over
// white to orange. Very bright light turns white, as for an eye or a film.
Rgb glow_color(float brightness, float heat);

}  // namespace lw::cosmos
