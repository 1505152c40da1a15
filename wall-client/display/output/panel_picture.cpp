// The arithmetic of the output stage. shaders/output.frag has the same, function by function, in the same order.
#include "wall-client/display/output/output_stage.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lw {
namespace {

// Where a panel's pixel lies on the tile, in pixels from the tile's top left corner.
struct Shown {
  float x = 0, y = 0;
  float coverage = 1;  // of the panel's pixel by the tile: less at the tile's edge, none beyond it
};

// An image's samples, whatever its depth.
class Samples {
public:
  explicit Samples(const Picture& picture) : picture_(picture) {}
  [[nodiscard]] Rgb at(int x, int y) const {
    const auto first = (static_cast<std::size_t>(y) * picture_.width + static_cast<std::size_t>(x)) * 3;
    Rgb colour{};
    for (std::size_t i = 0; i < 3; ++i)
      colour[i] =
          picture_.sixteen_bits
              ? static_cast<float>(reinterpret_cast<const std::uint16_t*>(picture_.pixels.data())[first + i]) / 65535
              : static_cast<float>(std::to_integer<unsigned>(picture_.pixels[first + i])) / 255;
    return colour;
  }

private:
  const Picture& picture_;
};

float ramp(float part) {
  const float t = std::clamp(part, 0.0F, 1.0F);
  return t * t * (3 - 2 * t);  // of the other projector: 1 - this
}

// From the mesh's vertices around it; empty: nothing is shown there.
std::optional<Shown> place_by(const WarpMesh& mesh, int x, int y, TurnSize panel, TurnSize tile) {
  struct Cell {
    unsigned first;
    float part;
  };
  const auto cell_of = [](int pixel, int of_panel, unsigned count) {
    const float place =
        (static_cast<float>(pixel) + 0.5F) * static_cast<float>(count) / static_cast<float>(of_panel) - 0.5F;
    const float first = std::clamp(std::floor(place), 0.0F, static_cast<float>(count - 2));
    return Cell{static_cast<unsigned>(first), place - first};
  };
  const auto across = cell_of(x, panel.width, mesh.columns);
  const auto down = cell_of(y, panel.height, mesh.rows);
  Shown shown{0, 0, 0};
  float sum = 0;
  for (unsigned corner = 0; corner < 4; ++corner) {
    const unsigned right = corner & 1U, below = corner >> 1U;
    const float weight = (right != 0 ? across.part : 1 - across.part) * (below != 0 ? down.part : 1 - down.part);
    const auto& place = mesh.at(across.first + right, down.first + below);
    constexpr float least_weight = 1.0F / 1024;  // of a vertex that counts
    if (!place.shown()) {
      if (std::abs(weight) > least_weight) return std::nullopt;
      continue;
    }
    shown.x += weight * place.x;
    shown.y += weight * place.y;
    sum += weight;
  }
  shown.x *= static_cast<float>(tile.width) / sum;
  shown.y *= static_cast<float>(tile.height) / sum;
  const auto within = [](float at, int size) {
    return std::clamp(at + 0.5F, 0.0F, 1.0F) * std::clamp(static_cast<float>(size) - at + 0.5F, 0.0F, 1.0F);
  };
  shown.coverage = within(shown.x, tile.width) * within(shown.y, tile.height);
  return shown;
}

// Interpolated between the centres of the tile's pixels.
Rgb sample(const Samples& tile, TurnSize size, const Shown& shown) {
  const auto pixels = [](float place, int count, int& first, int& next) {
    const float from_first = std::clamp(place - 0.5F, 0.0F, static_cast<float>(count - 1));
    first = static_cast<int>(from_first);
    next = std::min(first + 1, count - 1);
    return part_of_next(from_first - static_cast<float>(first));
  };
  int left = 0, right = 0, top = 0, bottom = 0;
  const float across = pixels(shown.x, size.width, left, right);
  const float down = pixels(shown.y, size.height, top, bottom);
  const auto a = tile.at(left, top), b = tile.at(right, top), c = tile.at(left, bottom), d = tile.at(right, bottom);
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    const float above = a[i] + (b[i] - a[i]) * across;
    const float below = c[i] + (d[i] - c[i]) * across;
    mixed[i] = above + (below - above) * down;
  }
  return mixed;
}

Rgb corrected(const OutputStage& stage, Rgb colour) {
  for (std::size_t i = 0; i < 3; ++i) {
    colour[i] = std::clamp(colour[i] * stage.gain[i], 0.0F, 1.0F);
    if (stage.exponent[i] != 1) colour[i] = std::pow(colour[i], stage.exponent[i]);
  }
  if (!stage.table) return colour;
  colour = (*stage.table)(colour);
  for (auto& value : colour) value = std::clamp(value, 0.0F, 1.0F);
  return colour;
}

// Of the light, by the distances from the tile's edges.
float light_by_widths(const OutputStage& stage, const Shown& shown) {
  const auto& widths = stage.blend;
  const auto edge = [](float distance, unsigned width) {
    return width == 0 ? 1 : ramp(distance / static_cast<float>(width));
  };
  return edge(shown.x, widths.left) * edge(static_cast<float>(stage.tile.width) - shown.x, widths.right) *
         edge(shown.y, widths.top) * edge(static_cast<float>(stage.tile.height) - shown.y, widths.bottom);
}

// How many times its own leaking light a projector adds, so that black is as bright as where most projectors overlap.
// A blended edge is covered by twice as many as what lies beside it.
float shares_of_black(const OutputStage& stage, const Shown& shown, float map_light) {
  constexpr float whole = 254.5F / 255;
  if (stage.blend_map) return map_light >= whole ? 1 : 0;
  const auto& widths = stage.blend;
  if (widths == BlendWidths{}) return 1;
  const auto most = [](unsigned first, unsigned last) { return first > 0 || last > 0 ? 2.0F : 1.0F; };
  const auto here = [](float at, int size, unsigned first, unsigned last) {
    // An edge without a neighbour is soft half a pixel beyond the tile: alone there as well.
    const auto blended = [](float distance, unsigned width) {
      return width > 0 && distance < static_cast<float>(width);
    };
    return blended(at, first) || blended(static_cast<float>(size) - at, last) ? 2.0F : 1.0F;
  };
  const float all = most(widths.left, widths.right) * most(widths.top, widths.bottom);
  return all / (here(shown.x, stage.tile.width, widths.left, widths.right) *
                here(shown.y, stage.tile.height, widths.top, widths.bottom)) -
         1;
}

// The light that is added everywhere, also where the image is black.
float black_light(const OutputStage& stage, int x, int y, const Shown& shown, float map_light) {
  const auto light_of = [&](float code) { return std::pow(code, stage.blend_gamma); };
  if (stage.black_lift_map) return light_of(stage.black_lift_map->over(x, y, stage.panel.width, stage.panel.height));
  if (stage.black_lift <= 0) return 0;
  return std::min(shares_of_black(stage, shown, map_light) * light_of(stage.black_lift), 1.0F);
}

Rgb active_pixel(const OutputStage& stage, const Samples& tile, int x, int y) {
  const auto pixel = stage.map.shown_by({x, y});
  Shown shown{static_cast<float>(pixel.x) + 0.5F, static_cast<float>(pixel.y) + 0.5F, 1};
  if (stage.warp) {
    const auto place = place_by(*stage.warp, x, y, stage.panel, stage.tile);
    if (!place || place->coverage <= 0) return {0, 0, 0};
    shown = *place;
  }
  auto colour = corrected(stage, stage.warp ? sample(tile, stage.tile, shown) : tile.at(pixel.x, pixel.y));
  const float map_light = stage.blend_map ? stage.blend_map->over(x, y, stage.panel.width, stage.panel.height) : 1;
  const float light = shown.coverage * map_light * light_by_widths(stage, shown);
  if (light < 1)
    for (auto& value : colour) value *= std::pow(light, 1 / stage.blend_gamma);
  const float black = black_light(stage, x, y, shown, map_light) * shown.coverage;
  if (black > 0)
    for (auto& value : colour)
      value = std::pow(black + (1 - black) * std::pow(value, stage.blend_gamma), 1 / stage.blend_gamma);
  return colour;
}

Picture turned(const OutputStage& stage, const Picture& tile) {
  Picture panel{static_cast<unsigned>(stage.panel.width), static_cast<unsigned>(stage.panel.height), tile.sixteen_bits,
                std::vector<std::byte>(tile.pixels.size())};
  const std::size_t pixel_bytes = tile.sixteen_bits ? 6 : 3;
  auto* to = panel.pixels.data();
  for (int y = 0; y < stage.panel.height; ++y)
    for (int x = 0; x < stage.panel.width; ++x, to += pixel_bytes) {
      const auto from = stage.map.shown_by({x, y});
      const auto index = static_cast<std::size_t>(from.y) * tile.width + static_cast<std::size_t>(from.x);
      std::memcpy(to, tile.pixels.data() + index * pixel_bytes, pixel_bytes);
    }
  return panel;
}

}  // namespace

// Bayer's order: the bits of x xor y and of y, the lowest first.
unsigned dither_threshold(unsigned x, unsigned y) {
  unsigned threshold = 0;
  for (unsigned bit = 0; bit < 3; ++bit) threshold = threshold << 2U | ((x ^ y) >> bit & 1U) << 1U | (y >> bit & 1U);
  return threshold;
}

Picture panel_picture(const OutputStage& stage, const Picture& tile, unsigned bits) {
  if (!stage.active) return turned(stage, tile);
  const Samples samples(tile);
  const float levels = static_cast<float>((1U << bits) - 1);
  const bool sixteen_bits = bits > 8;
  const auto width = static_cast<unsigned>(stage.panel.width), height = static_cast<unsigned>(stage.panel.height);
  Picture panel{width, height, sixteen_bits,
                std::vector<std::byte>(std::size_t{width} * height * (sixteen_bits ? 6 : 3))};
  std::size_t sample = 0;
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) {
      const float round_up = (static_cast<float>(dither_threshold(x & 7U, y & 7U)) + 0.5F) / 64;
      for (const float value : active_pixel(stage, samples, static_cast<int>(x), static_cast<int>(y))) {
        const float code = std::min(std::floor(value * levels + round_up), levels);
        if (sixteen_bits)
          reinterpret_cast<std::uint16_t*>(panel.pixels.data())[sample] =
              static_cast<std::uint16_t>(std::lround(code / levels * 65535));
        else
          panel.pixels[sample] = static_cast<std::byte>(code);
        ++sample;
      }
    }
  return panel;
}

}  // namespace lw
