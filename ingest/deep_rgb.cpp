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

constexpr std::uint16_t white_8 = 255;
constexpr std::uint16_t white_16 = 0xff00;

const AVPixFmtDescriptor& descriptor_of(const AVFrame& frame) {
  return *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
}

bool is_float(const AVPixFmtDescriptor& format) { return (format.flags & AV_PIX_FMT_FLAG_FLOAT) != 0; }
bool has_grey(const AVPixFmtDescriptor& format) { return format.nb_components <= 2; }

// Reads a channel's lines as integers from 0 to `white`.
class Reader {
public:
  Reader(const AVFrame& frame, std::uint16_t white) : frame_(frame), format_(descriptor_of(frame)), white_(white) {
    if (is_float(format_)) return;
    const unsigned max = (1U << static_cast<unsigned>(format_.comp[0].depth)) - 1;
    table_.resize(max + 1);
    for (std::uint64_t value = 0; value <= max; ++value)
      table_[value] = static_cast<std::uint16_t>((value * white + max / 2) / max);
  }

  void read(int y, int channel, std::vector<std::uint16_t>& line) const {
    const int component = has_grey(format_) ? 0 : channel;
    if (is_float(format_)) return read_floats(y, component, line);
    std::array<const std::uint8_t*, 4> planes{frame_.data[0], frame_.data[1], frame_.data[2], frame_.data[3]};
    av_read_image_line(line.data(), planes.data(), frame_.linesize, &format_, 0, y, component, frame_.width, 0);
    for (auto& value : line) value = table_[std::min<std::size_t>(value, table_.size() - 1)];
  }

private:
  void read_floats(int y, int component, std::vector<std::uint16_t>& line) const {
    const auto& place = format_.comp[component];
    const auto* from = av::line_of<std::uint8_t>(frame_, place.plane, y) + place.offset;
    for (auto& out : line) {
      float value = 0;
      std::memcpy(&value, from, sizeof(value));
      from += place.step;
      // NaN is also black.
      out = value > 0 ? static_cast<std::uint16_t>(std::lround(std::min(value, 1.0F) * static_cast<float>(white_))) : 0;
    }
  }

  const AVFrame& frame_;
  const AVPixFmtDescriptor& format_;
  std::uint16_t white_;
  std::vector<std::uint16_t> table_;  // of the integers
};

void write_rgb24(AVFrame& out, int y, int channel, const std::vector<std::uint16_t>& line) {
  auto* to = av::line_of<std::uint8_t>(out, 0, y) + channel;
  for (const auto value : line) {
    *to = static_cast<std::uint8_t>(value);
    to += 3;
  }
}

void write_gbrp16(AVFrame& out, int y, int channel, const std::vector<std::uint16_t>& line) {
  constexpr std::array planes{2, 0, 1};  // of red, green and blue
  std::memcpy(av::line_of<std::uint16_t>(out, planes[static_cast<std::size_t>(channel)], y), line.data(),
              line.size() * sizeof(line[0]));
}

}  // namespace

bool is_deep_rgb(const AVFrame& frame) {
  const auto* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (format == nullptr || (format->flags & AV_PIX_FMT_FLAG_PAL) != 0) return false;
  const bool grey = has_grey(*format) && frame.color_range != AVCOL_RANGE_MPEG;
  if (!grey && (format->flags & AV_PIX_FMT_FLAG_RGB) == 0) return false;
  if (is_float(*format)) return format->comp[0].depth == 32 && (format->flags & AV_PIX_FMT_FLAG_BE) == 0;
  return format->comp[0].depth > 8 && format->comp[0].depth <= 16;
}

Result<av::Frame> prepare_deep_rgb(const AVFrame& deep, bool all_bits, FramePool& pool) {
  auto out = pool.frame_like(deep, all_bits ? AV_PIX_FMT_GBRP16 : AV_PIX_FMT_RGB24);
  if (!out) return out;
  (*out)->color_range = AVCOL_RANGE_JPEG;
  const Reader reader(deep, all_bits ? white_16 : white_8);
  std::vector<std::uint16_t> line(static_cast<std::size_t>(deep.width));
  for (int y = 0; y < deep.height; ++y)
    for (int channel = 0; channel < 3; ++channel) {
      reader.read(y, channel, line);
      (all_bits ? write_gbrp16 : write_rgb24)(**out, y, channel, line);
    }
  return out;
}

}  // namespace lw
