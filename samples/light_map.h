// Light gathered on a picture's pixels: the amount, and a second quantity carried with it (whose mean colours the
// pixel). Sums are made in fixed point, so that the picture does not depend on the order or the number of threads.
#pragma once

#include <cstdint>
#include <vector>

namespace lw::cosmos {

class LightMap {
public:
  LightMap(int width, int height)
      : width_(width), height_(height), light_(static_cast<std::size_t>(width) * height), carried_(light_.size()) {}

  void clear();
  // Light spread softly over a disc of `radius` pixels, 1 or more. `carried` from 0 to 1.
  void add_disc(float x, float y, float radius, float light, float carried);
  void merge(const LightMap& other);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] float light(std::size_t pixel) const { return static_cast<float>(light_[pixel]) / scale; }
  [[nodiscard]] float mean_carried(std::size_t pixel) const {
    return light_[pixel] == 0 ? 0 : static_cast<float>(carried_[pixel]) / static_cast<float>(light_[pixel]);
  }

private:
  static constexpr float scale = 4096;  // a pixel holds light up to a million
  void add_pixel(int x, int y, float light, float carried);

  int width_;
  int height_;
  std::vector<std::uint32_t> light_;
  std::vector<std::uint32_t> carried_;
};

}  // namespace lw::cosmos
