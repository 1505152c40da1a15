#include "samples/scenes.h"

#include "samples/camera.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lw::cosmos {
namespace {

constexpr int parts = 64;
// Neighbouring splats blend into an even surface when their rms width is half their distance.
constexpr float blend = 0.25F;

template <class Body>
void for_part(std::size_t count, int part, const Body& body) {
  const auto i = static_cast<std::size_t>(part);
  for (std::size_t patch = count * i / parts; patch < count * (i + 1) / parts; ++patch) body(patch);
}

float smooth_step(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

void add_spread(Splat& splat, float x, float y) {
  splat.xx += blend * x * x;
  splat.xy += blend * x * y;
  splat.yy += blend * y * y;
}

float pixels_per_cell(const LightMap& map, const View& view, const Lattice& box) {
  return std::max(static_cast<float>(map.width()) / static_cast<float>(box.nx),
                  static_cast<float>(map.height()) / static_cast<float>(box.ny)) *
         static_cast<float>(view.zoom);
}

}  // namespace

Vec3 brightest(const LightMap& map, const View& view, const Lattice& box) {
  int best_x = 0;
  int best_y = 0;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      if (map.light(x, y) > map.light(best_x, best_y)) {
        best_x = x;
        best_y = y;
      }
  const Vec3 from_middle{static_cast<float>(best_x) - static_cast<float>(map.width()) / 2,
                         static_cast<float>(best_y) - static_cast<float>(map.height()) / 2, 0};
  return box.wrap(view.middle + from_middle * (1 / pixels_per_cell(map, view, box)));
}

void draw_domain(const std::vector<Patch>& sheet, const Lattice& box, const View& view, LightMap& map, Threads threads,
                 Picture& picture) {
  const auto width = static_cast<float>(map.width());
  const auto height = static_cast<float>(map.height());
  const auto nx = static_cast<float>(box.nx);
  const auto ny = static_cast<float>(box.ny);
  const float scale = pixels_per_cell(map, view, box);
  map.draw(parts, [&](int part, LightMap::Part& out) {
    for_part(sheet.size(), part, [&](std::size_t i) {
      const Patch& patch = sheet[i];
      const float dx = nearest(patch.middle.x - view.middle.x, box.nx);
      const float dy = nearest(patch.middle.y - view.middle.y, box.ny);
      Splat splat{width / 2 + dx * scale, height / 2 + dy * scale, 0, 0, 0, 1, 0};
      for (const Vec3& edge : patch.edges) add_spread(splat, edge.x * scale, edge.y * scale);
      out.add(splat);
      // At the domain's border the opposite side is visible.
      const bool beside = std::abs(dx) > 0.45F * nx;
      const bool above = std::abs(dy) > 0.45F * ny;
      const float over = splat.x - std::copysign(nx * scale, dx);
      const float under = splat.y - std::copysign(ny * scale, dy);
      Splat image = splat;
      if (beside) image.x = over, out.add(image);
      if (above) image.y = under, out.add(image);
      if (beside && above) image.x = splat.x, out.add(image);
    });
  });
  const float mean = static_cast<float>(box.nz) / (scale * scale);
  const LogScale tone(0.33F * mean, 12 * mean);
  const auto brightness = static_cast<float>(view.brightness);
  develop(
      map, threads,
      [&](float light, float) {
        Rgb color = density_color(tone(light));
        for (auto& channel : color) channel *= brightness;
        return color;
      },
      picture);
}

void draw_flight(const std::vector<Patch>& sheet, const std::vector<PatchState>& states, const Lattice& box,
                 double phase, LightMap& map, Threads threads, Picture& picture) {
  const Camera camera = camera_at(phase, box, map.width());
  const auto width = static_cast<float>(map.width());
  const auto height = static_cast<float>(map.height());
  const float farthest = 0.7F * static_cast<float>(box.nx);
  constexpr float nearest_seen = 1.5F;
  const auto step_y = camera.turned({0, static_cast<float>(box.ny), 0});
  const auto step_z = camera.turned({0, 0, static_cast<float>(box.nz)});
  const float slope_x = width / 2 / camera.focal;
  const float slope_y = height / 2 / camera.focal;
  map.draw(parts, [&](int part, LightMap::Part& out) {
    for_part(sheet.size(), part, [&](std::size_t i) {
      const Patch& patch = sheet[i];
      Vec3 away = patch.middle - camera.position;
      away.x = nearest(away.x - 0.4F * static_cast<float>(box.nx), box.nx) + 0.4F * static_cast<float>(box.nx);
      away.y = nearest(away.y, box.ny);
      away.z = nearest(away.z, box.nz);
      const Vec3 seen = camera.turned(away);
      // The box repeats to all sides.
      for (int image = 0; image < 9; ++image) {
        const int to_side = image % 3 - 1;
        const int to_back = image / 3 - 1;
        const Vec3 place = seen + step_y * static_cast<float>(to_side) + step_z * static_cast<float>(to_back);
        const float depth = place.z;
        if (depth < nearest_seen || depth > farthest) continue;
        if (std::abs(place.x) > depth * slope_x + 4 || std::abs(place.y) > depth * slope_y + 4) continue;
        const float scale = camera.focal / depth;
        const float fade = smooth_step(nearest_seen, 7, depth) * (1 - smooth_step(0.3F * farthest, farthest, depth));
        // Dense matter glows more, as gas in clusters does.
        const float glow = std::min(std::sqrt(states[i].density), 12.0F);
        Splat splat{width / 2 + place.x * scale, height / 2 - place.y * scale, 0, 0, 0, 0, 0};
        splat.light = fade * glow * scale * scale;
        splat.heat = std::min(1.0F, states[i].dispersion / 3.0F);
        for (const Vec3& edge : patch.edges) {
          const Vec3 along = camera.turned(edge);
          add_spread(splat, (along.x - place.x * along.z / depth) * scale,
                     (place.y * along.z / depth - along.y) * scale);
        }
        out.add(splat);
      }
    });
  });
  const LogScale tone(6.0F, 2500.0F);
  develop(
      map, threads, [&](float light, float heat) { return glow_color(tone(light), heat); }, picture);
}

}  // namespace lw::cosmos
