// Accumulates light on a frame: soft elliptical splats of any size, summed without limit. Large splats are drawn small
// on coarser levels, which are finally enlarged smoothly, so that each splat costs about the same.
#pragma once

#include "samples/threads.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lw::cosmos {

// A patch of light, in pixels from the top left corner; its covariance describes its shape.
struct Splat {
  float x = 0, y = 0;
  float xx = 0, xy = 0, yy = 0;
  float light = 0;
  float heat = 0;  // 0 to 1; the mean heat determines a pixel's colour
};

class LightMap {
public:
  // The contribution of one part of a scene.
  class Part {
  public:
    void add(const Splat& splat);

  private:
    friend class LightMap;
    // A splat made ready for its level: light * max(0, 1 - (a dx^2 + b dx dy + c dy^2))^2.
    struct Footprint {
      float x, y;
      float a, b, c;
      float light, heat;
    };
    struct Rows {
      std::int16_t level, begin, end;
    };
    int width_ = 0;
    int height_ = 0;
    std::vector<Footprint> footprints_;
    std::vector<Rows> rows_;
  };

  LightMap(int width, int height, Threads threads);

  // Clears the map, then calls fill(i, part) for each of `parts` parts on several threads, and draws what they add.
  // Sums are formed in the order of the parts, so that they do not depend on the number of threads.
  void draw(int parts, const std::function<void(int, Part&)>& fill);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] float light(int x, int y) const { return levels_[0].light[levels_[0].at(x, y)]; }
  // 0 without light.
  [[nodiscard]] float mean_heat(int x, int y) const {
    const auto pixel = levels_[0].at(x, y);
    return levels_[0].light[pixel] > 0 ? levels_[0].heat[pixel] / levels_[0].light[pixel] : 0;
  }

private:
  static constexpr int level_count = 7;
  static constexpr int margin = 2;  // around each level, so that enlarging needs no special case
  static constexpr int band = 1 << (level_count - 1);

  // Half as wide and high as the previous one.
  struct Level {
    int width = 0;
    int height = 0;
    std::vector<float> light;
    std::vector<float> heat;  // times light

    [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(width) + 2 * margin; }
    [[nodiscard]] std::size_t at(int x, int y) const {
      return static_cast<std::size_t>(y + margin) * stride() + static_cast<std::size_t>(x + margin);
    }
  };

  void draw_band(int first_row, int last_row);
  void draw_rows(Level& level, const Part::Footprint& footprint, int begin, int end);
  void enlarge(const Level& from, Level& to);

  int width_;
  int height_;
  Threads threads_;
  std::vector<Level> levels_;
  std::vector<Part> parts_;
};

}  // namespace lw::cosmos
