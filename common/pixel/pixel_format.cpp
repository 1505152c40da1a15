#include "common/pixel/pixel_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace lw {
namespace {

constexpr std::array<PixelFormatInfo, all_pixel_formats.size()> formats{{
    {PixelFormat::rgb8, "rgb8", "RGB", 8, 3, 1, 1, 96},
    {PixelFormat::ycbcr422_8, "ycbcr422-8", "YCbCr-4:2:2", 8, 4, 2, 1, 97},
    {PixelFormat::ycbcr422_10, "ycbcr422-10", "YCbCr-4:2:2", 10, 5, 2, 1, 98},
    {PixelFormat::bc7, "bc7", "RGB", 8, 16, 4, 4, 99},
    {PixelFormat::bc1, "bc1", "RGB", 8, 8, 4, 4, 101},
    {PixelFormat::rgb10, "rgb10", "RGB", 10, 15, 4, 1, 102},
    {PixelFormat::lossless, "lossless", "RGB", 8, 16, 1, 1, 103},
}};

// Besides pixels that cannot be compressed, a band has room for the lengths of its chunks: some octets in each row.
constexpr std::size_t lossless_row_more = 16;

constexpr unsigned rounded_up(unsigned pixels, unsigned of_group) { return (pixels + of_group - 1) / of_group; }

}  // namespace

const PixelFormatInfo& info(PixelFormat format) { return formats[static_cast<std::size_t>(format)]; }

Result<PixelFormat> parse_pixel_format(std::string_view name) {
  std::array<std::string_view, formats.size()> names;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (formats[i].name == name) return formats[i].format;
    names[i] = formats[i].name;
  }
  return Error{fmt::format("unknown pixel format '{}'", name), fmt::format("use {}", fmt::join(names, ", "))};
}

std::optional<PixelFormat> pixel_format_of_payload_type(std::uint8_t payload_type) {
  for (const auto& entry : formats)
    if (entry.payload_type == payload_type) return entry.format;
  return std::nullopt;
}

bool has_groups(PixelFormat format, unsigned width) {
  const auto& entry = info(format);
  return entry.has_blocks() || width % entry.group_pixels == 0;
}

std::size_t row_bytes(PixelFormat format, unsigned width) {
  assert(has_groups(format, width));
  const auto& entry = info(format);
  if (format == PixelFormat::lossless)
    return std::size_t{rounded_up(3 * width, entry.group_bytes)} * entry.group_bytes + lossless_row_more;
  return std::size_t{rounded_up(width, entry.group_pixels)} * entry.group_bytes;
}

unsigned group_rows(PixelFormat format, unsigned pixel_rows) { return rounded_up(pixel_rows, info(format).group_rows); }

RowRange group_rows(PixelFormat format, RowRange pixel_rows) {
  const auto first = group_rows(format, pixel_rows.first);
  return {first, group_rows(format, pixel_rows.first + pixel_rows.count) - first};
}

std::size_t frame_bytes(PixelFormat format, unsigned width, unsigned pixel_rows) {
  return row_bytes(format, width) * group_rows(format, pixel_rows);
}

std::size_t frame_bytes_max(unsigned width, unsigned pixel_rows) {
  std::size_t most = 0;
  for (const auto format : all_pixel_formats)
    if (has_groups(format, width) && !info(format).varies_in_length())
      most = std::max(most, frame_bytes(format, width, pixel_rows));
  return most;
}

}  // namespace lw
