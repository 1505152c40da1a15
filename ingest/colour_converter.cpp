#include "ingest/colour_converter.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "ingest/do_each.h"

namespace lw {
namespace {

constexpr int rows_at_a_time = 16;
constexpr float white_of_deep_rgb = 0xff00;  // deep_rgb.h

struct Row {
  std::span<float> red, green, blue;
};

void read_rgb(const AVFrame& frame, int y, const Row& out) {
  if (frame.format == AV_PIX_FMT_RGB24) {
    const auto* from = av::line_of<std::uint8_t>(frame, 0, y);
    for (std::size_t x = 0; x < out.red.size(); ++x) {
      out.red[x] = static_cast<float>(from[3 * x]) / 255;
      out.green[x] = static_cast<float>(from[3 * x + 1]) / 255;
      out.blue[x] = static_cast<float>(from[3 * x + 2]) / 255;
    }
    return;
  }
  const auto read = [&](int plane, std::span<float> channel) {
    const auto* from = av::line_of<std::uint16_t>(frame, plane, y);
    for (std::size_t x = 0; x < channel.size(); ++x) channel[x] = static_cast<float>(from[x]) / white_of_deep_rgb;
  };
  read(2, out.red);
  read(0, out.green);
  read(1, out.blue);
}

void read_ycbcr(const AVFrame& frame, const FitChain::SourceColours& from, int y, const Row& out) {
  const auto to_16 = [&](unsigned value, unsigned bits) { return static_cast<float>(value << (16 - bits)); };
  const auto most = (1U << from.bits) - 1;
  const float black = from.full_range ? 0 : to_16(16, 8);
  const float luma_white = from.repeats ? to_16(0xffff, 16) : to_16(most, from.bits);
  const float luma_range = from.full_range ? luma_white : to_16(219, 8);
  const float chroma_range = from.full_range ? to_16(most, from.bits) : to_16(224, 8);
  constexpr float chroma_zero = 1U << 15U;
  const auto& k = from.luma;
  const float green = 1 - k.red - k.blue;
  const auto* luma = av::line_of<std::uint16_t>(frame, 0, y);
  const auto* blues = av::line_of<std::uint16_t>(frame, 1, y);
  const auto* reds = av::line_of<std::uint16_t>(frame, 2, y);
  for (std::size_t x = 0; x < out.red.size(); ++x) {
    const float value = (static_cast<float>(luma[x]) - black) / luma_range;
    const float b = value + 2 * (1 - k.blue) * ((static_cast<float>(blues[x]) - chroma_zero) / chroma_range);
    const float r = value + 2 * (1 - k.red) * ((static_cast<float>(reds[x]) - chroma_zero) / chroma_range);
    out.red[x] = r;
    out.green[x] = (value - k.red * r - k.blue * b) / green;
    out.blue[x] = b;
  }
}

void write_rgb8(const Row& row, std::uint8_t* to) {
  const auto rounded = [](float value) { return static_cast<std::uint8_t>(value * 255 + 0.5F); };
  for (std::size_t x = 0; x < row.red.size(); ++x, to += 3) {
    to[0] = rounded(row.red[x]);
    to[1] = rounded(row.green[x]);
    to[2] = rounded(row.blue[x]);
  }
}

// Full range, into the planes of GBRP10.
void write_rgb10(const Row& row, int y, AVFrame& to) {
  const auto write = [&](std::span<const float> channel, int plane) {
    std::ranges::transform(channel, av::line_of<std::uint16_t>(to, plane, y),
                           [](float value) { return static_cast<std::uint16_t>(value * 1023 + 0.5F); });
  };
  write(row.green, 0);
  write(row.blue, 1);
  write(row.red, 2);
}

// Video range. Chroma is sited on even pixels: the mean of these, twice, and of their neighbours. Calls
// out(index of the pair, Cb, first luma, Cr, second luma).
template <class Out>
void to_ycbcr422(const Row& row, const LumaWeights& k, unsigned bits, Out out) {
  const auto scale = static_cast<float>(1U << (bits - 8));
  const auto width = row.red.size();
  // In place of red, green and blue.
  for (std::size_t x = 0; x < width; ++x) {
    const float luma = k.red * row.red[x] + (1 - k.red - k.blue) * row.green[x] + k.blue * row.blue[x];
    row.red[x] = (row.red[x] - luma) / (2 * (1 - k.red));
    row.blue[x] = (row.blue[x] - luma) / (2 * (1 - k.blue));
    row.green[x] = luma;
  }
  const auto rounded = [](float value) { return static_cast<unsigned>(value + 0.5F); };
  const auto luma = [&](std::size_t x) { return rounded((16 + 219 * row.green[x]) * scale); };
  const auto chroma = [&](std::span<const float> channel, std::size_t x) {
    const float mean = (channel[x == 0 ? 0 : x - 1] + 2 * channel[x] + channel[std::min(x + 1, width - 1)]) / 4;
    return rounded((128 + 224 * mean) * scale);
  };
  for (std::size_t x = 0; x + 1 < width; x += 2)
    out(x / 2, chroma(row.blue, x), luma(x), chroma(row.red, x), luma(x + 1));
}

// Y'CbCr has colours outside R'G'B'.
void clip(std::span<float> channel) {
  for (auto& value : channel) value = value > 0 ? std::min(value, 1.0F) : 0;
}

void blacken(const Row& row, std::size_t first, std::size_t end) {
  for (const auto& channel : {row.red, row.green, row.blue})
    std::fill(channel.begin() + static_cast<std::ptrdiff_t>(first), channel.begin() + static_cast<std::ptrdiff_t>(end),
              0.0F);
}

}  // namespace

ColourConverter::ColourConverter(const FitChain::SourceColours& from, const Wanted& to, unsigned threads)
    : from_(from),
      format_(to.format),
      wall_(to.colour.primaries),
      threads_(threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency())),
      map_(has_colours_of(from.colour, to.colour)
               ? std::nullopt
               : std::optional<ColourMap>(std::in_place, from.colour, to.colour, to.tags.peak)) {}

void ColourConverter::convert_row(const AVFrame& from, int y, AVFrame& to, std::vector<float>& line) const {
  const auto width = static_cast<std::size_t>(from.width);
  const std::span<float> all(line);
  const Row row{all.first(width), all.subspan(width, width), all.last(width)};
  const auto& content = from_.content;
  if (static_cast<unsigned>(y) < content.y || static_cast<unsigned>(y) >= content.y + content.height) {
    blacken(row, 0, width);
  } else {
    from.format == AV_PIX_FMT_YUV444P16LE ? read_ycbcr(from, from_, y, row) : read_rgb(from, y, row);
    if (map_)
      map_->apply(row.red.subspan(content.x, content.width), row.green.subspan(content.x, content.width),
                  row.blue.subspan(content.x, content.width));
    else
      for (const auto& channel : {row.red, row.green, row.blue}) clip(channel);
    blacken(row, 0, content.x);
    blacken(row, content.x + content.width, width);
  }
  const auto& luma = luma_weights(wall_ == Primaries::bt2020 ? "bt2020" : "bt709");
  if (to.format == AV_PIX_FMT_GBRP10LE) return write_rgb10(row, y, to);
  if (to.format == AV_PIX_FMT_RGB24) return write_rgb8(row, av::line_of<std::uint8_t>(to, 0, y));
  if (to.format == AV_PIX_FMT_UYVY422) {
    auto* out = av::line_of<std::uint8_t>(to, 0, y);
    return to_ycbcr422(row, luma, 8, [out](std::size_t pair, unsigned cb, unsigned y0, unsigned cr, unsigned y1) {
      const std::array bytes{cb, y0, cr, y1};
      std::ranges::transform(bytes, out + 4 * pair, [](unsigned value) { return static_cast<std::uint8_t>(value); });
    });
  }
  auto* lumas = av::line_of<std::uint16_t>(to, 0, y);
  auto* blues = av::line_of<std::uint16_t>(to, 1, y);
  auto* reds = av::line_of<std::uint16_t>(to, 2, y);
  to_ycbcr422(row, luma, 10, [&](std::size_t pair, unsigned cb, unsigned y0, unsigned cr, unsigned y1) {
    lumas[2 * pair] = static_cast<std::uint16_t>(y0);
    lumas[2 * pair + 1] = static_cast<std::uint16_t>(y1);
    blues[pair] = static_cast<std::uint16_t>(cb);
    reds[pair] = static_cast<std::uint16_t>(cr);
  });
}

Result<av::Frame> ColourConverter::convert(const AVFrame& frame) {
  auto out = pool_.frame_like(frame, av_format(format_));
  if (!out) return out.error();
  const int parts = (frame.height + rows_at_a_time - 1) / rows_at_a_time;
  auto done = do_each(static_cast<unsigned>(parts), threads_, [&](unsigned part) -> Result<void> {
    std::vector<float> line(static_cast<std::size_t>(frame.width) * 3);
    const int first = static_cast<int>(part) * rows_at_a_time;
    for (int y = first; y < std::min(first + rows_at_a_time, frame.height); ++y) convert_row(frame, y, **out, line);
    return {};
  });
  if (!done) return done.error();
  return out;
}

}  // namespace lw
