#include "samples/tone_map.h"

#include <algorithm>
#include <cmath>

namespace lw::cosmos {
namespace {

// Spread evenly over neighbouring pixels, from 0 to 1 (interleaved gradient noise, Jimenez 2014).
float dither(int x, int y) {
  const float inner = 0.06711056F * static_cast<float>(x) + 0.00583715F * static_cast<float>(y);
  const float outer = 52.9829189F * (inner - std::floor(inner));
  return outer - std::floor(outer);
}

}  // namespace

LogScale::LogScale(float dark, float bright)
    : dark_(dark), offset_(std::log(dark)), factor_(1 / (std::log(bright) - std::log(dark))) {}

float LogScale::operator()(float light) const {
  return light > dark_ ? std::min(1.0F, (std::log(light) - offset_) * factor_) : 0;
}

void develop(const LightMap& map, Threads threads, const std::function<Rgb(float, float)>& shade, Picture& picture) {
  picture.width = map.width();
  picture.height = map.height();
  picture.pixels.resize(static_cast<std::size_t>(map.width()) * static_cast<std::size_t>(map.height()) * 3);
  threads.ranges(map.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      auto* out = &picture.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width()) * 3];
      for (int x = 0; x < map.width(); ++x) {
        const float threshold = dither(x, y);
        for (const float channel : shade(map.light(x, y), map.mean_heat(x, y)))
          *out++ = static_cast<std::uint8_t>(std::clamp(channel, 0.0F, 1.0F) * 254.99F + threshold);
      }
    }
  });
}

}  // namespace lw::cosmos
