#include "common/pixel/pixel_format.h"

#include <array>
#include <cassert>
#include <string>

namespace lw {
namespace {

constexpr std::array<PixelFormatInfo, all_pixel_formats.size()> formats{{
    {PixelFormat::rgb8, "rgb8", "RGB", 8, 3, 1, 96},
    {PixelFormat::ycbcr422_8, "ycbcr422-8", "YCbCr-4:2:2", 8, 4, 2, 97},
    {PixelFormat::ycbcr422_10, "ycbcr422-10", "YCbCr-4:2:2", 10, 5, 2, 98},
}};

}  // namespace

const PixelFormatInfo& info(PixelFormat format) { return formats[static_cast<std::size_t>(format)]; }

Result<PixelFormat> parse_pixel_format(std::string_view name) {
  for (const auto& entry : formats)
    if (entry.name == name) return entry.format;
  return Error{"unknown pixel format '" + std::string(name) + "'", "use rgb8, ycbcr422-8 or ycbcr422-10"};
}

std::optional<PixelFormat> pixel_format_of_payload_type(std::uint8_t payload_type) {
  for (const auto& entry : formats)
    if (entry.payload_type == payload_type) return entry.format;
  return std::nullopt;
}

std::size_t row_bytes(PixelFormat format, unsigned width) {
  const auto& entry = info(format);
  assert(width % entry.group_pixels == 0);
  return std::size_t{width} / entry.group_pixels * entry.group_bytes;
}

}  // namespace lw
