#include "ingest/fit_chain.h"

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lw {
namespace {

bool is_rgb(int format) {
  const auto* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  return descriptor != nullptr && (descriptor->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

bool is_422(int format) {
  const auto* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  return !is_rgb(format) && descriptor->nb_components >= 3 && descriptor->log2_chroma_w == 1 &&
         descriptor->log2_chroma_h == 0;
}

// Without scaling, swscale repeats the high bits of these in full range.
bool is_444(int format) {
  const auto* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  return !is_rgb(format) && descriptor->nb_components >= 3 && descriptor->log2_chroma_w == 0 &&
         descriptor->log2_chroma_h == 0;
}

bool is_packed_422(AVPixelFormat format) { return format == AV_PIX_FMT_UYVY422 || format == AV_PIX_FMT_YUYV422; }

// The matrix of a YCbCr source. For an untagged source it follows from its size, or is the wall's if made for the wall.
std::string matrix_of(const AVFrame& frame, bool made_for_wall) {
  switch (frame.colorspace) {
    case AVCOL_SPC_BT709:
      return "bt709";
    case AVCOL_SPC_BT2020_NCL:
      return "bt2020";
    case AVCOL_SPC_SMPTE240M:
      return "smpte240m";
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
      return "bt601";
    default:
      return frame.height >= 720 || made_for_wall ? "bt709" : "bt601";
  }
}

std::string range_of(const AVFrame& frame) {
  if (frame.color_range == AVCOL_RANGE_JPEG || is_rgb(frame.format)) return "pc";
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const bool jpeg = format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUVJ422P || format == AV_PIX_FMT_YUVJ444P;
  const bool grey = av_pix_fmt_desc_get(format)->nb_components <= 2 && frame.color_range == AVCOL_RANGE_UNSPECIFIED;
  return jpeg || grey ? "pc" : "tv";
}

// The rotation that turns a frame upright, from its display matrix: x' = a x + c y, y' = b x + d y.
struct Upright {
  bool transposed = false;
  bool mirrored_x = false;
  bool mirrored_y = false;
};

Upright upright_of(const AVFrame& frame) {
  const auto* side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (side == nullptr || side->size < 9 * sizeof(std::int32_t)) return {};
  const auto* matrix = reinterpret_cast<const std::int32_t*>(side->data);
  const auto size = [](std::int32_t value) { return std::abs(static_cast<std::int64_t>(value)); };
  if (size(matrix[1]) > size(matrix[0])) return {true, matrix[3] < 0, matrix[1] < 0};
  return {false, matrix[0] < 0, matrix[4] < 0};
}

// In which a frame keeps its colours until they are converted.
AVPixelFormat format_to_convert(const AVFrame& frame) {
  if (frame.format == AV_PIX_FMT_GBRP16) return AV_PIX_FMT_GBRP16;
  const auto* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool grey = descriptor->nb_components <= 2 && range_of(frame) == "pc";
  return is_rgb(frame.format) || grey ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUV444P16LE;
}

class Builder {
public:
  Builder(const Wanted& wanted, const AVFrame& first)
      : wanted_(wanted),
        first_(first),
        whole_{wanted.picture.width, wanted.picture.height},
        converts_(needs_converter(first, wanted)),
        target_(converts_ ? format_to_convert(first) : av_format(wanted.format)),
        work_(is_packed_422(target_) ? AV_PIX_FMT_YUV422P : target_),
        source_{static_cast<unsigned>(first.width), static_cast<unsigned>(first.height)},
        format_(static_cast<AVPixelFormat>(first.format)) {}

  FitChain build() {
    if (wanted_.rate) add(fmt::format("fps={}/{}", wanted_.rate->numerator, wanted_.rate->denominator));
    if (wanted_.as_it_is) return chain_.filters.empty() ? FitChain{"null", {}, {}} : chain_;
    turn_upright();
    size_ = fitted_size(source_, aspect_, wanted_.picture, wanted_.fit, !to_rgb());
    const bool cut = size_.width > whole_.width || size_.height > whole_.height;
    const bool bordered = size_.width < whole_.width || size_.height < whole_.height;
    // FFmpeg can neither crop nor paint packed 4:2:2, so this uses the planar equivalent.
    if ((cut || bordered) && is_packed_422(format_)) convert(AV_PIX_FMT_YUV422P);
    if (cut && wanted_.fit == Fit::exact)
      add(fmt::format("crop=min(iw\\,{}):min(ih\\,{})", whole_.width, whole_.height));
    converts_ ? scale_only() : scale();
    if (cut && wanted_.fit == Fit::fill) add(fmt::format("crop={}:{}", whole_.width, whole_.height));
    if (bordered) add_borders();
    convert(target_);
    if (chain_.filters.empty()) chain_.filters = "null";
    return chain_;
  }

private:
  [[nodiscard]] bool to_rgb() const { return info(wanted_.format).is_rgb(); }
  void add(const std::string& filter) { chain_.filters += (chain_.filters.empty() ? "" : ",") + filter; }
  void convert(AVPixelFormat wanted) {
    if (format_ != wanted) add(fmt::format("format={}", av_get_pix_fmt_name(wanted)));
    format_ = wanted;
  }

  void turn_upright() {
    const auto ratio = first_.sample_aspect_ratio;
    if (ratio.num > 0 && ratio.den > 0) aspect_ = av_q2d(ratio);
    const auto upright = upright_of(first_);
    if (upright.transposed) add("transpose=cclock_flip");
    if (upright.mirrored_x) add("hflip");
    if (upright.mirrored_y) add("vflip");
    if (upright.transposed || upright.mirrored_x) format_ = AV_PIX_FMT_NONE;  // the filters choose it
    if (!upright.transposed) return;
    std::swap(source_.width, source_.height);
    aspect_ = 1 / aspect_;
  }

  [[nodiscard]] std::string wall_matrix() const {
    return wanted_.colour.primaries == Primaries::bt2020 ? "bt2020" : "bt709";
  }

  // Converts to the size of the wall, if necessary, but keeps range and matrix.
  void scale_only() {
    const auto range = range_of(first_);
    const auto matrix = matrix_of(first_, false);
    const auto* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(first_.format));
    chain_.to_convert = {source_colour(first_),
                         luma_weights(matrix),
                         range == "pc",
                         static_cast<unsigned>(descriptor->comp[0].depth),
                         range == "pc" && size_ == source_ && is_444(first_.format),
                         {0, 0, whole_.width, whole_.height}};
    if (size_ == source_ && format_ == target_) return;
    const auto size = size_ == source_ ? std::string() : fmt::format("w={}:h={}:", size_.width, size_.height);
    const auto colours =
        is_rgb(first_.format) ? std::string() : fmt::format("in_color_matrix={0}:out_color_matrix={0}:", matrix);
    add(fmt::format("scale={}{}in_range={}:out_range={}:flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp",
                    size, colours, range, range));
    format_ = AV_PIX_FMT_NONE;
    convert(target_);
  }

  // Converts to the size and the colours of the wall, if necessary.
  void scale() {
    const auto range = range_of(first_);
    const auto matrix = matrix_of(first_, !to_rgb() && source_ == whole_ && is_422(first_.format));
    const bool same_colours = range == (to_rgb() ? "pc" : "tv") && (to_rgb() || matrix == wall_matrix());
    if (size_ == source_ && same_colours && (format_ == target_ || format_ == work_)) return;
    const auto size = size_ == source_ ? std::string() : fmt::format("w={}:h={}:", size_.width, size_.height);
    const auto input = is_rgb(first_.format) ? std::string() : fmt::format("in_color_matrix={}:", matrix);
    const auto output =
        to_rgb() ? "out_range=pc" : fmt::format("out_color_matrix={}:out_range=tv:out_h_chr_pos=0", wall_matrix());
    add(fmt::format("scale={}{}in_range={}:{}:flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp", size, input,
                    range, output));
    format_ = AV_PIX_FMT_NONE;
    convert(work_);
  }

  void add_borders() {
    const unsigned step = to_rgb() ? 1 : 2;  // pixels that share their chroma stay together
    const Size shown{std::min(size_.width, whole_.width), std::min(size_.height, whole_.height)};
    const Rect content{(whole_.width - shown.width) / 2 / step * step, (whole_.height - shown.height) / 2, shown.width,
                       shown.height};
    add(fmt::format("pad={}:{}:{}:{}", whole_.width, whole_.height, content.x, content.y));
    if (chain_.to_convert)
      chain_.to_convert->content = content;
    else if (wanted_.format == PixelFormat::ycbcr422_10)
      chain_.painted_around = content;
  }

  const Wanted& wanted_;
  const AVFrame& first_;
  Size whole_;
  bool converts_;  // primaries or transfer function, after the chain
  AVPixelFormat target_;
  AVPixelFormat work_;
  Size source_;           // upright
  AVPixelFormat format_;  // at the end of the chain so far
  Size size_;             // of the source on the wall
  double aspect_ = 1;     // of the source's pixels
  FitChain chain_;
};

}  // namespace

const LumaWeights& luma_weights(std::string_view matrix) {
  static constexpr LumaWeights bt601{0.299F, 0.114F}, bt709{0.2126F, 0.0722F}, bt2020{0.2627F, 0.0593F},
      smpte240m{0.212F, 0.087F};
  if (matrix == "bt601") return bt601;
  if (matrix == "bt2020") return bt2020;
  return matrix == "smpte240m" ? smpte240m : bt709;
}

AVPixelFormat av_format(PixelFormat format) {
  switch (format) {
    case PixelFormat::ycbcr422_8:
      return AV_PIX_FMT_UYVY422;
    case PixelFormat::ycbcr422_10:
      return AV_PIX_FMT_YUV422P10LE;
    case PixelFormat::rgb10:
      return AV_PIX_FMT_GBRP10LE;
    case PixelFormat::rgb8:
    case PixelFormat::bc7:
    case PixelFormat::bc1:
    case PixelFormat::lossless:
      break;
  }
  return AV_PIX_FMT_RGB24;
}

std::size_t fitted_bytes(PixelFormat format, const Rect& whole) {
  constexpr int packed = 1;
  return static_cast<std::size_t>(av_image_get_buffer_size(av_format(format), static_cast<int>(whole.width),
                                                           static_cast<int>(whole.height), packed));
}

bool needs_converter(const AVFrame& frame, const Wanted& wanted) {
  return wanted.format == PixelFormat::rgb10 || !has_colours_of(source_colour(frame), wanted.colour);
}

FitChain fit_chain(const Wanted& wanted, const AVFrame& first) { return Builder(wanted, first).build(); }

}  // namespace lw
