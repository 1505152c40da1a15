#include "ingest/deep_rgb.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lw {
namespace {

const AVPixFmtDescriptor* descriptor_of(const AVFrame& frame) {
  return av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
}

bool is_float(const AVPixFmtDescriptor& format) { return (format.flags & AV_PIX_FMT_FLAG_FLOAT) != 0; }

// value -> 8 bits, for integers of `depth` bits.
std::vector<std::uint8_t> rounding_table(unsigned depth) {
  const unsigned max = (1U << depth) - 1;
  std::vector<std::uint8_t> table(max + 1);
  for (unsigned value = 0; value <= max; ++value)
    table[value] = static_cast<std::uint8_t>((value * 255 + max / 2) / max);
  return table;
}

std::uint8_t round_float(float value) {
  if (!(value > 0)) return 0;  // NaN, too
  return static_cast<std::uint8_t>(std::lround(std::min(value, 1.0F) * 255));
}

}  // namespace

bool is_deep_rgb(const AVFrame& frame) {
  const auto* format = descriptor_of(frame);
  if (format == nullptr || (format->flags & AV_PIX_FMT_FLAG_PAL) != 0) return false;
  const bool grey = format->nb_components <= 2 && frame.color_range != AVCOL_RANGE_MPEG;
  if (!grey && (format->flags & AV_PIX_FMT_FLAG_RGB) == 0) return false;
  if (is_float(*format)) return format->comp[0].depth == 32 && (format->flags & AV_PIX_FMT_FLAG_BE) == 0;
  return format->comp[0].depth > 8 && format->comp[0].depth <= 16;
}

Result<av::Frame> round_to_rgb24(const AVFrame& deep) {
  av::Frame rgb(av_frame_alloc());
  rgb->format = AV_PIX_FMT_RGB24;
  rgb->width = deep.width;
  rgb->height = deep.height;
  if (av_frame_copy_props(rgb.get(), &deep) < 0 || av_frame_get_buffer(rgb.get(), 64) < 0)
    return Error{"not enough memory for a picture of " + std::to_string(deep.width) + "x" + std::to_string(deep.height),
                 "use smaller pictures"};
  rgb->color_range = AVCOL_RANGE_JPEG;
  const auto& format = *descriptor_of(deep);
  const bool grey = format.nb_components <= 2;
  const auto table =
      is_float(format) ? std::vector<std::uint8_t>() : rounding_table(static_cast<unsigned>(format.comp[0].depth));
  std::vector<std::uint16_t> line(static_cast<std::size_t>(deep.width));
  for (int y = 0; y < deep.height; ++y) {
    std::uint8_t* row = rgb->data[0] + static_cast<std::ptrdiff_t>(y) * rgb->linesize[0];
    for (int channel = 0; channel < 3; ++channel) {
      const int component = grey ? 0 : channel;
      std::uint8_t* to = row + channel;
      if (is_float(format)) {
        const auto& place = format.comp[component];
        const std::uint8_t* from =
            deep.data[place.plane] + static_cast<std::ptrdiff_t>(y) * deep.linesize[place.plane] + place.offset;
        for (int x = 0; x < deep.width; ++x, from += place.step, to += 3) {
          float value = 0;
          std::memcpy(&value, from, sizeof(value));
          *to = round_float(value);
        }
      } else {
        std::array<const std::uint8_t*, 4> planes{deep.data[0], deep.data[1], deep.data[2], deep.data[3]};
        av_read_image_line(line.data(), planes.data(), deep.linesize, &format, 0, y, component, deep.width, 0);
        for (const auto value : line) {
          *to = table[std::min<std::size_t>(value, table.size() - 1)];
          to += 3;
        }
      }
    }
  }
  return rgb;
}

}  // namespace lw
