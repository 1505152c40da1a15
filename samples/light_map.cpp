#include "samples/light_map.h"

#include <algorithm>
#include <cmath>

namespace lw::cosmos {

void LightMap::clear() {
  std::ranges::fill(light_, 0U);
  std::ranges::fill(carried_, 0U);
}

void LightMap::add_pixel(int x, int y, float light, float carried) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  light_[pixel] += static_cast<std::uint32_t>(light * scale + 0.5F);
  carried_[pixel] += static_cast<std::uint32_t>(light * carried * scale + 0.5F);
}

void LightMap::add_disc(float x, float y, float radius, float light, float carried) {
  const int reach = static_cast<int>(std::ceil(radius));
  const int cx = static_cast<int>(x);
  const int cy = static_cast<int>(y);
  // The integral of (1 - r^2)^2 over the disc of radius R is pi R^2 / 3.
  const float norm = light * 3 / (3.14159265F * radius * radius);
  for (int dy = -reach; dy <= reach; ++dy)
    for (int dx = -reach; dx <= reach; ++dx) {
      const float px = static_cast<float>(cx + dx) + 0.5F - x;
      const float py = static_cast<float>(cy + dy) + 0.5F - y;
      const float fall = 1 - (px * px + py * py) / (radius * radius);
      if (fall > 0) add_pixel(cx + dx, cy + dy, norm * fall * fall, carried);
    }
}

void LightMap::merge(const LightMap& other) {
  for (std::size_t i = 0; i < light_.size(); ++i) {
    light_[i] += other.light_[i];
    carried_[i] += other.carried_[i];
  }
}

}  // namespace lw::cosmos
