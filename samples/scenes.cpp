#include "samples/scenes.h"

#include "samples/color.h"
#include "samples/parallel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw::cosmos {
namespace {

float centered(float value) { return value - std::round(value); }  // to [-0.5, 0.5]: the nearest image in the periodic box

// Draws all points with `project(map, point)`, each thread on a map of its own; the sum is the same however they share.
template <class Project>
LightMap gather(const std::vector<SheetPoint>& points, int width, int height, Project project) {
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<LightMap> maps(static_cast<std::size_t>(threads), LightMap(width, height));
  parallel_ranges(threads, [&](int begin, int end) {
    for (int part = begin; part < end; ++part) {
      const std::size_t from = points.size() * static_cast<std::size_t>(part) / static_cast<std::size_t>(threads);
      const std::size_t to = points.size() * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(threads);
      for (std::size_t i = from; i < to; ++i) project(maps[static_cast<std::size_t>(part)], points[i]);
    }
  }, threads);
  for (std::size_t i = 1; i < maps.size(); ++i) maps[0].merge(maps[i]);
  return std::move(maps[0]);
}

template <class Shade>
Pixels develop(const LightMap& map, Shade shade) {
  Pixels pixels(static_cast<std::size_t>(map.width()) * static_cast<std::size_t>(map.height()) * 3);
  parallel_ranges(map.height(), [&](int begin, int end) {
    for (std::size_t pixel = static_cast<std::size_t>(begin) * map.width(); pixel < static_cast<std::size_t>(end) * map.width(); ++pixel) {
      const Rgb color = shade(map.light(pixel), map.mean_carried(pixel));
      for (std::size_t c = 0; c < 3; ++c) pixels[pixel * 3 + c] = static_cast<std::uint8_t>(std::clamp(color[c], 0.0F, 1.0F) * 255 + 0.5F);
    }
  });
  return pixels;
}

}  // namespace

std::vector<SheetPoint> sheet(const Simulation& simulation, int side, double drift) {
  const auto& positions = simulation.positions();
  const auto& momenta = simulation.momenta();
  std::vector<SheetPoint> points(positions.size() * 8);
  const auto step = static_cast<float>(drift);
  const auto moved = [&](std::size_t i) {
    return Vec3{positions[i].x + step * momenta[i].x, positions[i].y + step * momenta[i].y, positions[i].z + step * momenta[i].z};
  };
  // Speeds of clusters are several times those of the field: the scale is where colours begin to glow.
  constexpr float fast = 0.12F;
  parallel_ranges(side, [&](int begin, int end) {
    for (int z = begin; z < end; ++z)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          const auto lattice = [side](int i, int j, int k) { return (static_cast<std::size_t>(k % side) * side + static_cast<std::size_t>(j % side)) * side + static_cast<std::size_t>(i % side); };
          const auto self = lattice(x, y, z);
          const Vec3 here = moved(self);
          for (int corner = 0; corner < 8; ++corner) {
            const auto other = lattice(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2 & 1));
            const Vec3 there = moved(other);
            const auto& p = momenta[self];
            const auto& q = momenta[other];
            const float vx = (p.x + q.x) / 2;
            const float vy = (p.y + q.y) / 2;
            const float vz = (p.z + q.z) / 2;
            points[self * 8 + static_cast<std::size_t>(corner)] = {
                {here.x + centered(there.x - here.x) / 2, here.y + centered(there.y - here.y) / 2, here.z + centered(there.z - here.z) / 2},
                std::min(1.0F, std::sqrt(vx * vx + vy * vy + vz * vz) / fast)};
          }
        }
  });
  return points;
}

Pixels draw_domain(const std::vector<SheetPoint>& points, int width, int height, double brightness, double phase) {
  const auto scale = static_cast<float>(width);
  const auto shift = static_cast<float>(0.5 * static_cast<double>(height) / width);
  const auto pan = static_cast<float>(0.04 * std::sin(2 * std::numbers::pi * phase));
  // Half the depth: filaments stand out from what lies before and behind them.
  constexpr float depth = 0.5F;
  const auto map = gather(points, width, height, [&](LightMap& out, const SheetPoint& point) {
    const float z = point.position.z - std::floor(point.position.z);
    if (z > depth) return;
    const float x = point.position.x + pan - std::floor(point.position.x + pan);
    const float y = centered(point.position.y - 0.5F) + shift;
    // Softer towards the slab's faces, so that nothing pops when it drifts out.
    const float edge = std::min({1.0F, z * 20, (depth - z) * 20});
    out.add_disc(x * scale, y * scale, 1.6F, edge, point.speed);
  });
  const double mean = static_cast<double>(points.size()) * depth / (static_cast<double>(width) * width);
  return develop(map, [&](float light, float) {
    const double contrast = static_cast<double>(light) / mean;
    // Logarithmic from a tenth of the mean to a hundred times it.
    const double value = (std::log10(contrast + 0.03) + 0.75) / 2.6;
    Rgb color = density_color(static_cast<float>(value));
    for (auto& c : color) c *= static_cast<float>(brightness);
    return color;
  });
}

Pixels draw_flight(const std::vector<SheetPoint>& points, int width, int height, double phase) {
  const double turn = 2 * std::numbers::pi * phase;
  const Vec3 camera{static_cast<float>(0.5 + 0.10 * std::sin(turn)), static_cast<float>(0.5 + 0.06 * std::sin(2 * turn)), static_cast<float>(phase)};
  const auto roll = static_cast<float>(0.25 * std::sin(turn));
  const float cosine = std::cos(roll);
  const float sine = std::sin(roll);
  const float focal = 0.9F * static_cast<float>(width);
  constexpr float nearest = 0.012F;
  constexpr float farthest = 0.95F;
  const auto map = gather(points, width, height, [&](LightMap& out, const SheetPoint& point) {
    float z = point.position.z - camera.z;
    z -= std::floor(z);
    if (z < nearest || z > farthest) return;
    const float dx = centered(point.position.x - camera.x);
    const float dy = centered(point.position.y - camera.y);
    const float x = static_cast<float>(width) / 2 + focal * (cosine * dx - sine * dy) / z;
    const float y = static_cast<float>(height) / 2 + focal * (sine * dx + cosine * dy) / z;
    if (x < -20 || y < -20 || x > static_cast<float>(width) + 20 || y > static_cast<float>(height) + 20) return;
    // Light falls with the square of the distance; what is far fades into the dark, what is very near does not dazzle.
    const float fade = std::min(1.0F, (farthest - z) * 2.2F) * std::min(1.0F, (z - nearest) * 20);
    const float light = fade * fade * std::min(0.02F / (z * z), 30.0F);
    const float radius = std::clamp(0.10F / z, 0.9F, 7.0F);
    if (radius <= 1) out.add_point(x, y, light, point.speed);
    else out.add_disc(x, y, radius, light, point.speed);
  });
  return develop(map, [](float light, float speed) {
    const float bright = std::log1p(light * 2.2F) / 4.2F;
    const Rgb hue = speed_color(speed * 1.1F);
    // Where light piles up it turns white, as an eye or a film sees it.
    const float white = std::clamp((bright - 0.75F) * 1.6F, 0.0F, 0.85F);
    Rgb color{};
    for (std::size_t c = 0; c < 3; ++c) color[c] = std::pow(std::min(bright, 1.0F), 0.95F) * (hue[c] * (1 - white) + white);
    return color;
  });
}

}  // namespace lw::cosmos
