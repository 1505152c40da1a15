#include "wall-client/display/capture/preview.h"

#include <png.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

unsigned reduced(unsigned side, double scale) { return std::max(1U, static_cast<unsigned>(std::lround(side * scale))); }

}  // namespace

SmallPicture::SmallPicture(unsigned tile_width, unsigned tile_height) {
  const double scale = std::min(1.0, static_cast<double>(preview_side_max) / std::max(tile_width, tile_height));
  width = reduced(tile_width, scale);
  height = reduced(tile_height, scale);
  rgb.resize(std::size_t{width} * height * 3);
}

std::string png_of(const SmallPicture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string png(bytes, '\0');
  if (png_image_write_to_memory(&image, png.data(), &bytes, 0, picture.rgb.data(), 0, nullptr) == 0) return {};
  png.resize(bytes);
  return png;
}

}  // namespace lw
