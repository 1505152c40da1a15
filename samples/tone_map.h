// Maps light without limit to the 8 bits of a screen.
#pragma once

#include "samples/color.h"
#include "samples/light_map.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lw::cosmos {

// RGB, 8 bits, rows from top to bottom.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;
};

// Compresses light logarithmically: `dark` becomes 0, `bright` becomes 1; values outside are clipped.
class LogScale {
public:
  LogScale(float dark, float bright);
  [[nodiscard]] float operator()(float light) const;

private:
  float dark_;
  float offset_;
  float factor_;
};

// Colours each pixel by shade(light, mean heat), and rounds with a fixed dither, so that dark gradients show no steps.
void develop(const LightMap& map, Threads threads, const std::function<Rgb(float, float)>& shade, Picture& picture);

}  // namespace lw::cosmos
