#include "samples/light_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw::cosmos {
namespace {

// (1 - r^2)^2 on a disc of radius R has the variance R^2 / 8 along each axis, and the integral pi R^2 / 3.
constexpr float reach_squared = 8;
constexpr float softest = 1.6F;       // pixels: softer splats go to a coarser level
constexpr float antialiasing = 0.3F;  // px^2: nothing can be sharper than the pixels

}  // namespace

void LightMap::Part::add(const Splat& splat) {
  float xx = splat.xx + antialiasing;
  float xy = splat.xy;
  float yy = splat.yy + antialiasing;
  const float high = std::sqrt(reach_squared * yy);
  const float wide = std::sqrt(reach_squared * xx);
  if (!(splat.x > -wide) || splat.x > static_cast<float>(width_) + wide) return;
  if (!(splat.y > -high) || splat.y > static_cast<float>(height_) + high) return;
  const float half_difference = (xx - yy) / 2;
  float narrow = (xx + yy) / 2 - std::sqrt(half_difference * half_difference + xy * xy);
  int level = 0;
  float scale = 1;
  for (; narrow > softest * softest && level + 1 < level_count; ++level) {
    narrow /= 4;
    scale /= 2;
  }
  const float area = scale * scale;
  xx *= area;
  xy *= area;
  yy *= area;
  const float determinant = std::max(xx * yy - xy * xy, 1e-6F);
  const float inverse = 1 / (reach_squared * determinant);
  footprints_.push_back({splat.x * scale, splat.y * scale, yy * inverse, -2 * xy * inverse, xx * inverse,
                         splat.light * area * 3 / (std::numbers::pi_v<float> * reach_squared * std::sqrt(determinant)),
                         splat.heat});
  const int rows = ((height_ - 1) >> level) + 1;
  const auto first = static_cast<int>(std::floor((splat.y - high) * scale));
  const auto last = static_cast<int>(std::ceil((splat.y + high) * scale));
  rows_.push_back({static_cast<std::int16_t>(level), static_cast<std::int16_t>(std::max(first, -margin)),
                   static_cast<std::int16_t>(std::min(last, rows + margin))});
}

LightMap::LightMap(int width, int height, Threads threads) : width_(width), height_(height), threads_(threads) {
  for (int i = 0; i < level_count; ++i) {
    Level level{((width - 1) >> i) + 1, ((height - 1) >> i) + 1, {}, {}};
    level.light.resize(level.stride() * static_cast<std::size_t>(level.height + 2 * margin));
    level.heat.resize(level.light.size());
    levels_.push_back(std::move(level));
  }
}

void LightMap::draw(int parts, const std::function<void(int, Part&)>& fill) {
  parts_.resize(static_cast<std::size_t>(parts));
  threads_.items(parts, [&](int i) {
    auto& part = parts_[static_cast<std::size_t>(i)];
    part.width_ = width_;
    part.height_ = height_;
    part.footprints_.clear();
    part.rows_.clear();
    fill(i, part);
  });
  const int bands = (height_ - 1) / band + 1;
  const int pieces = std::min(bands, 4 * threads_.count);
  threads_.items(pieces,
                 [&](int piece) { draw_band(bands * piece / pieces * band, bands * (piece + 1) / pieces * band); });
  for (auto i = levels_.size() - 1; i > 0; --i) enlarge(levels_[i], levels_[i - 1]);
}

// All splats in these rows of the frame (and in the corresponding rows of coarser levels).
void LightMap::draw_band(int first_row, int last_row) {
  std::array<int, level_count> from{};
  std::array<int, level_count> to{};
  for (std::size_t i = 0; i < level_count; ++i) {
    auto& level = levels_[i];
    from[i] = first_row == 0 ? -margin : first_row >> i;
    to[i] = last_row >= height_ ? level.height + margin : last_row >> i;
    const auto begin = static_cast<std::ptrdiff_t>(level.at(-margin, from[i]));
    const auto end = static_cast<std::ptrdiff_t>(level.at(-margin, to[i]));
    std::fill(level.light.begin() + begin, level.light.begin() + end, 0.0F);
    std::fill(level.heat.begin() + begin, level.heat.begin() + end, 0.0F);
  }
  for (const auto& part : parts_)
    for (std::size_t i = 0; i < part.rows_.size(); ++i) {
      const auto& rows = part.rows_[i];
      const auto level = static_cast<std::size_t>(rows.level);
      const int begin = std::max<int>(rows.begin, from[level]);
      const int end = std::min<int>(rows.end, to[level]);
      if (begin < end) draw_rows(levels_[level], part.footprints_[i], begin, end);
    }
}

void LightMap::draw_rows(Level& level, const Part::Footprint& footprint, int begin, int end) {
  const auto& [x, y, a, b, c, light, heat] = footprint;
  for (int row = begin; row < end; ++row) {
    const float dy = static_cast<float>(row) + 0.5F - y;
    // Where the ellipse cuts the row.
    const float slope = b * dy;
    const float rest = 1 - c * dy * dy;
    const float square = slope * slope + 4 * a * rest;
    if (square <= 0) continue;
    const float root = std::sqrt(square);
    const float scale = 0.5F / a;
    const int first = std::max(-margin, static_cast<int>(std::floor(x + (-slope - root) * scale)));
    const int last = std::min(level.width + margin, static_cast<int>(std::ceil(x + (-slope + root) * scale)));
    const int count = last - first;
    if (count <= 0) continue;
    float* const lights = &level.light[level.at(first, row)];
    float* const heats = &level.heat[level.at(first, row)];
    const float start = static_cast<float>(first) + 0.5F - x;
    for (int i = 0; i < count; ++i) {
      const float dx = start + static_cast<float>(i);
      const float fall = std::max(0.0F, rest - dx * (a * dx + slope));
      const float amount = light * fall * fall;
      lights[i] += amount;
      heats[i] += amount * heat;
    }
  }
}

// Twice as large, bilinear: three quarters of the pixel beneath and a quarter of the next, along both axes.
void LightMap::enlarge(const Level& from, Level& to) {
  const auto coarse = [](int fine, int& near, int& far) {
    near = fine >> 1;
    far = (fine & 1) != 0 ? near + 1 : near - 1;
  };
  threads_.ranges(to.height + 2 * margin, [&](int begin, int end) {
    for (int row = begin - margin; row < end - margin; ++row) {
      int near_row = 0;
      int far_row = 0;
      coarse(row, near_row, far_row);
      for (auto plane : {&Level::light, &Level::heat}) {
        const float* const near = &(from.*plane)[from.at(0, near_row)];
        const float* const far = &(from.*plane)[from.at(0, far_row)];
        float* const out = &(to.*plane)[to.at(0, row)];
        for (int x = -margin; x < to.width + margin; ++x) {
          int i = 0;
          int j = 0;
          coarse(x, i, j);
          out[x] += 0.5625F * near[i] + 0.1875F * (near[j] + far[i]) + 0.0625F * far[j];
        }
      }
    }
  });
}

}  // namespace lw::cosmos
