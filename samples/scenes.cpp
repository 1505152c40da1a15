#include "samples/scenes.h"

#include "samples/color.h"
#include "samples/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lw::cosmos {
namespace {

float centered(float value) {
  return value - std::round(value);
}  // to [-0.5, 0.5]: the nearest image in the periodic box

// Draws all points with `project(map, point)`, each thread on a map of its own; the sum is the same however they share.
template <class Project>
LightMap gather(const std::vector<SheetPoint>& points, int width, int height, Project project) {
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<LightMap> maps(static_cast<std::size_t>(threads), LightMap(width, height));
  parallel_ranges(
      threads,
      [&](int begin, int end) {
        for (int part = begin; part < end; ++part) {
          const std::size_t from = points.size() * static_cast<std::size_t>(part) / static_cast<std::size_t>(threads);
          const std::size_t to = points.size() * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(threads);
          for (std::size_t i = from; i < to; ++i) project(maps[static_cast<std::size_t>(part)], points[i]);
        }
      },
      threads);
  for (std::size_t i = 1; i < maps.size(); ++i) maps[0].merge(maps[i]);
  return std::move(maps[0]);
}

template <class Shade>
Pixels develop(const LightMap& map, Shade shade) {
  Pixels pixels(static_cast<std::size_t>(map.width()) * static_cast<std::size_t>(map.height()) * 3);
  parallel_ranges(map.height(), [&](int begin, int end) {
    for (std::size_t pixel = static_cast<std::size_t>(begin) * map.width();
         pixel < static_cast<std::size_t>(end) * map.width(); ++pixel) {
      const Rgb color = shade(map.light(pixel), map.mean_carried(pixel));
      for (std::size_t c = 0; c < 3; ++c)
        pixels[pixel * 3 + c] = static_cast<std::uint8_t>(std::clamp(color[c], 0.0F, 1.0F) * 255 + 0.5F);
    }
  });
  return pixels;
}

// A small generator (xorshift) for places within a cell, from 0 to 1.
float next_share(std::uint32_t& state) {
  state ^= state << 13U;
  state ^= state >> 17U;
  state ^= state << 5U;
  return static_cast<float>(state >> 8U) / 16777216.0F;
}

Vec3 trilinear(const std::array<Vec3, 8>& corners, float u, float v, float w) {
  Vec3 sum;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const float share =
        ((corner & 1U) != 0 ? u : 1 - u) * ((corner & 2U) != 0 ? v : 1 - v) * ((corner & 4U) != 0 ? w : 1 - w);
    sum.x += share * corners[corner].x;
    sum.y += share * corners[corner].y;
    sum.z += share * corners[corner].z;
  }
  return sum;
}

}  // namespace

std::vector<SheetPoint> sheet(const Simulation& simulation, int side, double drift) {
  const auto& positions = simulation.positions();
  const auto& momenta = simulation.momenta();
  std::vector<SheetPoint> points(positions.size() * 8);
  const auto step = static_cast<float>(drift);
  const auto moved = [&](std::size_t i) {
    return Vec3{positions[i].x + step * momenta[i].x, positions[i].y + step * momenta[i].y,
                positions[i].z + step * momenta[i].z};
  };
  // Speeds of clusters are several times those of the field: the scale is where colours begin to glow.
  constexpr float fast = 0.16F;
  parallel_ranges(side, [&](int begin, int end) {
    for (int z = begin; z < end; ++z)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          const auto lattice = [side](int i, int j, int k) {
            return (static_cast<std::size_t>(k % side) * side + static_cast<std::size_t>(j % side)) * side +
                   static_cast<std::size_t>(i % side);
          };
          const auto self = lattice(x, y, z);
          const Vec3 here = moved(self);
          std::array<Vec3, 8> corners;
          std::array<Vec3, 8> speeds;
          for (int corner = 0; corner < 8; ++corner) {
            const auto other = lattice(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2 & 1));
            const Vec3 there = moved(other);
            corners[static_cast<std::size_t>(corner)] = {centered(there.x - here.x), centered(there.y - here.y),
                                                         centered(there.z - here.z)};
            speeds[static_cast<std::size_t>(corner)] = momenta[other];
          }
          // Where in the cell: anywhere, but the same in every frame and on every machine. A regular place would show
          // as a weave.
          std::uint32_t state = static_cast<std::uint32_t>(self) * 2654435761U + 12345U;
          for (std::size_t i = 0; i < 8; ++i) {
            const float u = next_share(state);
            const float v = next_share(state);
            const float w = next_share(state);
            const Vec3 place = trilinear(corners, u, v, w);
            const Vec3 speed = trilinear(speeds, u, v, w);
            points[self * 8 + i] = {
                {here.x + place.x, here.y + place.y, here.z + place.z},
                std::min(1.0F, std::sqrt(speed.x * speed.x + speed.y * speed.y + speed.z * speed.z) / fast)};
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
    out.add_disc(x * scale, y * scale, 2.6F, edge, point.speed);
  });
  const double mean = static_cast<double>(points.size()) * depth / (static_cast<double>(width) * width);
  return develop(map, [&](float light, float) {
    const double contrast = static_cast<double>(light) / mean;
    // Logarithmic from a tenth of the mean to a hundred times it.
    const double value = (std::log10(contrast + 0.03) + 0.62) / 1.95;
    Rgb color = density_color(static_cast<float>(value));
    for (auto& c : color) c *= static_cast<float>(brightness);
    return color;
  });
}

Pixels draw_flight(const std::vector<SheetPoint>& points, int width, int height, double phase) {
  const double turn = 2 * std::numbers::pi * phase;
  const Vec3 camera{static_cast<float>(0.5 + 0.10 * std::sin(turn)),
                    static_cast<float>(0.5 + 0.06 * std::sin(2 * turn)), static_cast<float>(phase)};
  const auto roll = static_cast<float>(0.25 * std::sin(turn));
  const float cosine = std::cos(roll);
  const float sine = std::sin(roll);
  const float focal = 0.9F * static_cast<float>(width);
  constexpr float nearest = 0.05F;
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
    const float fade = std::min(1.0F, (farthest - z) * 2.2F) * std::min(1.0F, (z - nearest) * 12);
    const float light = fade * fade * std::min(0.04F / (z * z), 4.0F);
    const float radius = std::clamp(0.75F / z, 1.7F, 5.0F);
    out.add_disc(x, y, radius, light, point.speed);
  });
  return develop(map, [](float light, float speed) {
    const float bright = (std::log1p(light * 60.0F) - 0.8F) / 4.6F;
    const Rgb hue = speed_color(speed * 1.1F);
    // Where light piles up it turns white, as an eye or a film sees it.
    const float white = std::clamp((bright - 0.75F) * 1.6F, 0.0F, 0.85F);
    Rgb color{};
    for (std::size_t c = 0; c < 3; ++c) color[c] = std::clamp(bright, 0.0F, 1.0F) * (hue[c] * (1 - white) + white);
    return color;
  });
}

}  // namespace lw::cosmos
