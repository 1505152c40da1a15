#include "ingest/background.h"

extern "C" {
#include <libavutil/csp.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

namespace lw {
namespace {

constexpr std::string_view with_alpha = "yuva";

const AVPixFmtDescriptor* format_of(const AVFrame& frame) {
  return av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
}

bool has_flag(const AVPixFmtDescriptor& format, std::uint64_t flag) { return (format.flags & flag) != 0; }

// The same planes without alpha; none for packed formats.
AVPixelFormat opaque_ycbcr(const AVPixFmtDescriptor& format) {
  const std::string_view name = format.name;
  if (!name.starts_with(with_alpha)) return AV_PIX_FMT_NONE;
  return av_get_pix_fmt(("yuv" + std::string(name.substr(with_alpha.size()))).c_str());
}

bool is_rgb_or_grey(const AVPixFmtDescriptor& format) {
  return has_flag(format, AV_PIX_FMT_FLAG_RGB) || format.nb_components <= 2;
}

// Integers of one depth, at whole bytes.
bool is_plain(const AVPixFmtDescriptor& format) {
  return !has_flag(format, AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_PAL) &&
         format.comp[0].depth >= 8 && format.comp[0].depth <= 16;
}

// Reads one channel's samples.
class Channel {
public:
  Channel(const AVFrame& frame, const AVPixFmtDescriptor& format, int component)
      : frame_(frame),
        place_(format.comp[component]),
        max_((1U << static_cast<unsigned>(place_.depth)) - 1),
        swapped_(has_flag(format, AV_PIX_FMT_FLAG_BE) != (std::endian::native == std::endian::big)) {}

  [[nodiscard]] unsigned at(int x, int y) const {
    const auto* from = av::line_of<std::uint8_t>(frame_, place_.plane, y) + place_.offset +
                       static_cast<std::ptrdiff_t>(x) * place_.step;
    if (place_.depth == 8) return *from;
    std::uint16_t value = 0;
    std::memcpy(&value, from, sizeof(value));
    if (swapped_) value = static_cast<std::uint16_t>(value << 8U | value >> 8U);
    return static_cast<unsigned>(value >> static_cast<unsigned>(place_.shift)) & max_;
  }
  [[nodiscard]] unsigned max() const { return max_; }

private:
  const AVFrame& frame_;
  const AVComponentDescriptor& place_;
  unsigned max_;
  bool swapped_;
};

// `alpha` of `opaque`, rounded. Most pixels are opaque or empty: they need no division.
std::uint64_t mix(std::uint64_t over, std::uint64_t under, std::uint64_t alpha, std::uint64_t opaque) {
  if (alpha == opaque) return over;
  if (alpha == 0) return under;
  return (over * alpha + under * (opaque - alpha) + opaque / 2) / opaque;
}

std::array<std::uint8_t, 3> colours_of(const Background& background) {
  return {background.red, background.green, background.blue};
}

// Four bytes for each pixel, as most images with alpha have: in one pass.
bool is_packed_8(const AVPixFmtDescriptor& format) {
  const auto fits = [](const AVComponentDescriptor& place) {
    return place.plane == 0 && place.step == 4 && place.depth == 8;
  };
  return has_flag(format, AV_PIX_FMT_FLAG_RGB) && std::all_of(format.comp, format.comp + 4, fits);
}

void mix_packed_8(const Background& background, const AVFrame& frame, AVFrame& out) {
  const auto& places = format_of(frame)->comp;
  const auto under = colours_of(background);
  for (int y = 0; y < frame.height; ++y) {
    const auto* from = av::line_of<std::uint8_t>(frame, 0, y);
    auto* to = av::line_of<std::uint8_t>(out, 0, y);
    for (int x = 0; x < frame.width; ++x, from += 4, to += 3) {
      const unsigned alpha = from[places[3].offset];
      for (std::size_t c = 0; c < 3; ++c)
        to[c] = static_cast<std::uint8_t>((from[places[c].offset] * alpha + under[c] * (0xff - alpha) + 0x7f) / 0xff);
    }
  }
}

Result<av::Frame> under_rgb(const Background& background, const AVFrame& frame, FramePool& pool) {
  const auto& format = *format_of(frame);
  const bool deep = format.comp[0].depth > 8;
  auto out = pool.frame_like(frame, deep ? AV_PIX_FMT_GBRP16 : AV_PIX_FMT_RGB24);
  if (!out) return out;
  (*out)->color_range = AVCOL_RANGE_JPEG;
  if (is_packed_8(format)) {
    mix_packed_8(background, frame, **out);
    return out;
  }
  const bool grey = format.nb_components <= 2;
  const Channel alpha(frame, format, grey ? 1 : 3);
  const auto colours = colours_of(background);
  constexpr std::array planes{2, 0, 1};  // of red, green and blue
  const unsigned white = deep ? 0xffff : 0xff;
  for (int c = 0; c < 3; ++c) {
    const Channel channel(frame, format, grey ? 0 : c);
    const auto under = colours[static_cast<std::size_t>(c)] * (white / 0xff);
    for (int y = 0; y < frame.height; ++y) {
      auto* bytes = av::line_of<std::uint8_t>(**out, 0, y) + c;
      auto* words = deep ? av::line_of<std::uint16_t>(**out, planes[static_cast<std::size_t>(c)], y) : nullptr;
      for (int x = 0; x < frame.width; ++x) {
        const std::uint64_t value_of_channel = channel.at(x, y);
        const auto over =
            channel.max() == white ? value_of_channel : (value_of_channel * white + channel.max() / 2) / channel.max();
        const auto value = mix(over, under, alpha.at(x, y), alpha.max());
        if (deep)
          words[x] = static_cast<std::uint16_t>(value);
        else
          bytes[x * 3] = static_cast<std::uint8_t>(value);
      }
    }
  }
  return out;
}

Result<av::Frame> under_palette(const Background& background, const AVFrame& frame, FramePool& pool) {
  auto out = pool.frame_like(frame, AV_PIX_FMT_RGB24);
  if (!out) return out;
  std::array<std::array<std::uint8_t, 3>, 256> opaque{};
  for (std::size_t i = 0; i < opaque.size(); ++i) {
    std::uint32_t argb = 0;
    std::memcpy(&argb, frame.data[1] + i * sizeof(argb), sizeof(argb));
    for (unsigned c = 0; c < 3; ++c)
      opaque[i][c] =
          static_cast<std::uint8_t>(mix(argb >> (16 - 8 * c) & 0xffU, colours_of(background)[c], argb >> 24U, 0xff));
  }
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x)
      std::memcpy(av::line_of<std::uint8_t>(**out, 0, y) + std::ptrdiff_t{x} * 3,
                  opaque[av::line_of<std::uint8_t>(frame, 0, y)[x]].data(), 3);
  (*out)->color_range = AVCOL_RANGE_JPEG;
  return out;
}

// The background as Y, Cb and Cr of the frame's matrix, range and depth.
std::array<unsigned, 3> ycbcr_of(const Background& background, const AVFrame& frame, unsigned depth) {
  const auto* weights = av_csp_luma_coeffs_from_avcsp(frame.colorspace);
  if (weights == nullptr)
    weights = av_csp_luma_coeffs_from_avcsp(frame.height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M);
  const double kr = av_q2d(weights->cr);
  const double kb = av_q2d(weights->cb);
  const double red = background.red / 255.0;
  const double blue = background.blue / 255.0;
  const double luma = kr * red + (1 - kr - kb) * background.green / 255.0 + kb * blue;
  const double cb = (blue - luma) / (2 - 2 * kb);
  const double cr = (red - luma) / (2 - 2 * kr);
  const auto unit = 1U << (depth - 8);
  const bool full = frame.color_range == AVCOL_RANGE_JPEG;
  const double top = 256.0 * unit - 1;
  const auto rounded = [top](double value) { return static_cast<unsigned>(std::lround(std::clamp(value, 0.0, top))); };
  if (full) return {rounded(luma * top), rounded(128.0 * unit + cb * top), rounded(128.0 * unit + cr * top)};
  return {rounded((16 + 219 * luma) * unit), rounded((128 + 224 * cb) * unit), rounded((128 + 224 * cr) * unit)};
}

// Of samples of the chroma, which may be shared by several pixels: their mean.
unsigned alpha_at(const Channel& alpha, const AVFrame& frame, int x, int y, int shift_x, int shift_y) {
  if (shift_x == 0 && shift_y == 0) return alpha.at(x, y);
  unsigned sum = 0;
  unsigned count = 0;
  for (int row = y << shift_y; row < std::min((y + 1) << shift_y, frame.height); ++row)
    for (int column = x << shift_x; column < std::min((x + 1) << shift_x, frame.width); ++column) {
      sum += alpha.at(column, row);
      ++count;
    }
  return (sum + count / 2) / count;
}

Result<av::Frame> under_ycbcr(const Background& background, const AVFrame& frame, FramePool& pool) {
  const auto& format = *format_of(frame);
  auto out = pool.frame_like(frame, opaque_ycbcr(format));
  if (!out) return out;
  const Channel alpha(frame, format, 3);
  const auto depth = static_cast<unsigned>(format.comp[0].depth);
  const auto under = ycbcr_of(background, frame, depth);
  for (int plane = 0; plane < 3; ++plane) {
    const Channel channel(frame, format, plane);
    const int shift_x = plane == 0 ? 0 : format.log2_chroma_w;
    const int shift_y = plane == 0 ? 0 : format.log2_chroma_h;
    const int width = AV_CEIL_RSHIFT(frame.width, shift_x);
    const int height = AV_CEIL_RSHIFT(frame.height, shift_y);
    const bool swapped = has_flag(format, AV_PIX_FMT_FLAG_BE) != (std::endian::native == std::endian::big);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto value = mix(channel.at(x, y), under[static_cast<std::size_t>(plane)],
                               alpha_at(alpha, frame, x, y, shift_x, shift_y), alpha.max());
        if (depth == 8)
          av::line_of<std::uint8_t>(**out, plane, y)[x] = static_cast<std::uint8_t>(value);
        else
          av::line_of<std::uint16_t>(**out, plane, y)[x] =
              static_cast<std::uint16_t>(swapped ? (value << 8U | value >> 8U) & 0xffffU : value);
      }
  }
  return out;
}

// IEC 61966-2-1.
float linear(float encoded) {
  return encoded <= 0.04045F ? encoded / 12.92F : std::pow((encoded + 0.055F) / 1.055F, 2.4F);
}
float encoded(float linear) {
  return linear <= 0.0031308F ? linear * 12.92F : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}

Result<av::Frame> under_floats(const Background& background, const AVFrame& frame, FramePool& pool) {
  auto out = pool.frame_like(frame, AV_PIX_FMT_GBRPF32);
  if (!out) return out;
  const bool is_linear = frame.color_trc == AVCOL_TRC_LINEAR;
  const std::array planes{background.green, background.blue, background.red};
  for (int plane = 0; plane < 3; ++plane) {
    const float under = linear(static_cast<float>(planes[static_cast<std::size_t>(plane)]) / 255);
    for (int y = 0; y < frame.height; ++y) {
      const auto* over = av::line_of<float>(frame, plane, y);
      const auto* alpha = av::line_of<float>(frame, 3, y);
      auto* to = av::line_of<float>(**out, plane, y);
      for (int x = 0; x < frame.width; ++x) {
        const float behind = under * (1 - std::clamp(alpha[x], 0.0F, 1.0F));
        if (behind <= 0)
          to[x] = over[x];
        else
          to[x] = is_linear ? over[x] + behind : encoded(linear(over[x]) + behind);
      }
    }
  }
  return out;
}

}  // namespace

Result<Background> parse_background(const std::string& text) {
  std::array<std::uint8_t, 4> rgba{};
  av_log_set_level(AV_LOG_QUIET);
  // FFmpeg also takes an opacity, and draws lots.
  if (text.find('@') != std::string::npos || text == "random" || text == "bikeshed" ||
      av_parse_color(rgba.data(), text.c_str(), -1, nullptr) < 0 || rgba[3] != 0xff)
    return Error{"'" + text + "' is not a colour", "write #rrggbb, or a name like white"};
  return Background{rgba[0], rgba[1], rgba[2]};
}

bool has_alpha(const AVFrame& frame) {
  const auto* format = format_of(frame);
  if (format == nullptr || !has_flag(*format, AV_PIX_FMT_FLAG_ALPHA)) return false;
  if (has_flag(*format, AV_PIX_FMT_FLAG_PAL)) return true;
  if (has_flag(*format, AV_PIX_FMT_FLAG_FLOAT)) return frame.format == AV_PIX_FMT_GBRAPF32;
  return is_plain(*format) && (is_rgb_or_grey(*format) || opaque_ycbcr(*format) != AV_PIX_FMT_NONE);
}

Result<av::Frame> put_under(const Background& background, const AVFrame& frame, FramePool& pool) {
  const auto& format = *format_of(frame);
  if (has_flag(format, AV_PIX_FMT_FLAG_PAL)) return under_palette(background, frame, pool);
  if (has_flag(format, AV_PIX_FMT_FLAG_FLOAT)) return under_floats(background, frame, pool);
  return (is_rgb_or_grey(format) ? under_rgb : under_ycbcr)(background, frame, pool);
}

}  // namespace lw
