#include "ingest/colour_converter.h"

extern "C" {
#include <libavutil/imgutils.h>
}

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <vector>

#include "ingest/fit.h"
#include "tests/unit/ingest/frames.h"

namespace lw {
namespace {

constexpr Rect picture{0, 0, 64, 32};

// 4:2:0 of 10 bits, video range, filled with one colour.
av::Frame flat_420(int width, int height, unsigned luma, unsigned cb, unsigned cr) {
  auto frame = make_frame(AV_PIX_FMT_YUV420P10LE, width, height);
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < (plane == 0 ? height : height / 2); ++y)
      for (int x = 0; x < (plane == 0 ? width : width / 2); ++x)
        sample<std::uint16_t>(*frame, plane, x, y) = static_cast<std::uint16_t>(plane == 0   ? luma
                                                                                : plane == 1 ? cb
                                                                                             : cr);
  return frame;
}

// Of the first frame that comes out.
std::vector<std::uint8_t> fitted(const AVFrame& source, const Wanted& wanted, unsigned threads) {
  FitGraph graph(wanted, {1, 1}, threads);
  REQUIRE(graph.push(&source).has_value());
  const auto frame = graph.pull();
  REQUIRE(frame.has_value());
  REQUIRE(*frame != nullptr);
  REQUIRE((*frame)->format == av_format(wanted.format));
  std::vector<std::uint8_t> bytes;
  for (int plane = 0; plane < 3 && (*frame)->data[plane] != nullptr; ++plane) {
    const int line = av_image_get_linesize(static_cast<AVPixelFormat>((*frame)->format), (*frame)->width, plane);
    for (int y = 0; y < (*frame)->height; ++y)
      bytes.insert(bytes.end(), (*frame)->data[plane] + y * (*frame)->linesize[plane],
                   (*frame)->data[plane] + y * (*frame)->linesize[plane] + line);
  }
  return bytes;
}

TEST_CASE("HDR is converted, and black and white are those of the wall in every format") {
  for (const bool white : {false, true}) {
    const auto source = flat_420(64, 32, white ? 940 : 64, 512, 512);
    source->color_trc = AVCOL_TRC_SMPTE2084;
    const auto rgb = fitted(*source, {picture, PixelFormat::rgb8, Fit::fit, {}}, 1);
    for (const auto value : rgb) REQUIRE(value == (white ? 255 : 0));
    const auto eight = fitted(*source, {picture, PixelFormat::ycbcr422_8, Fit::fit, {}}, 1);
    for (std::size_t i = 0; i < eight.size(); i += 2) REQUIRE((eight[i] == 128 && eight[i + 1] == (white ? 235 : 16)));
    const auto ten = fitted(*source, {picture, PixelFormat::ycbcr422_10, Fit::fit, {}}, 1);
    REQUIRE(ten.size() == std::size_t{64} * 32 * 4);
    for (std::size_t i = 0; i < ten.size(); i += 2) {
      const unsigned value = ten[i] | static_cast<unsigned>(ten[i + 1]) << 8U;
      REQUIRE(value == (i >= std::size_t{64} * 32 * 2 ? 512U : white ? 940U : 64U));
    }
  }
}

TEST_CASE("PQ that a wall shows is not converted") {
  auto source = make_frame(AV_PIX_FMT_YUV422P10LE, 64, 32);
  std::mt19937 random(3);
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < (plane == 0 ? 64 : 32); ++x)
        sample<std::uint16_t>(*source, plane, x, y) = static_cast<std::uint16_t>(random() & 1023U);
  source->color_trc = AVCOL_TRC_SMPTE2084;
  FitGraph graph({picture, PixelFormat::ycbcr422_10, Fit::fit, {}, {Primaries::bt2020, Transfer::pq}}, {1, 1}, 1);
  REQUIRE(graph.push(source.get()).has_value());
  const auto frame = graph.pull().value();
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < 32; ++y)
      REQUIRE(std::memcmp(&sample<std::uint16_t>(*source, plane, 0, y), &sample<std::uint16_t>(*frame, plane, 0, y),
                          plane == 0 ? 128 : 64) == 0);
}

TEST_CASE("borders of converted content are black") {
  const auto source = flat_420(32, 32, 700, 600, 400);
  source->color_trc = AVCOL_TRC_ARIB_STD_B67;
  const auto rgb = fitted(*source, {picture, PixelFormat::rgb8, Fit::fit, {}}, 2);
  for (std::size_t y = 0; y < 32; ++y)
    for (std::size_t x = 0; x < 64; ++x) {
      const auto* pixel = &rgb[(y * 64 + x) * 3];
      REQUIRE((pixel[0] + pixel[1] + pixel[2] > 0) == (x >= 16 && x < 48));
    }
}

TEST_CASE("every kind of source is converted, with the same pixels by any number of threads") {
  std::mt19937 random(9);
  for (const auto format : {AV_PIX_FMT_RGB24, AV_PIX_FMT_RGB48LE, AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUV420P,
                            AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P12LE, AV_PIX_FMT_UYVY422, AV_PIX_FMT_GBRPF32LE}) {
    for (const int width : {64, 50}) {
      auto source = make_frame(format, width, 32);
      for (const auto* buffer : source->buf)
        for (std::size_t i = 0; buffer != nullptr && i < buffer->size; ++i) buffer->data[i] = random() & 15U;
      for (const auto wanted : all_pixel_formats) {
        const Wanted to{picture, wanted, Fit::fit, {}, {Primaries::p3, Transfer::pq}};
        REQUIRE(fitted(*source, to, 1) == fitted(*source, to, 5));
      }
    }
  }
}

TEST_CASE("8-bit RGB of the wall's size has the same values in every depth") {
  auto eight = make_frame(AV_PIX_FMT_RGB24, 64, 32);
  auto sixteen = make_frame(AV_PIX_FMT_RGB48LE, 64, 32);
  std::mt19937 random(2);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 192; ++x) {
      const auto value = random() & 255U;
      sample<std::uint8_t>(*eight, 0, x, y) = static_cast<std::uint8_t>(value);
      sample<std::uint16_t>(*sixteen, 0, x, y) = static_cast<std::uint16_t>(value * 257);
    }
  const Wanted to{picture, PixelFormat::rgb8, Fit::fit, {}, {Primaries::bt2020, Transfer::hlg}};
  CHECK(fitted(*eight, to, 1) == fitted(*sixteen, to, 1));
}

}  // namespace
}  // namespace lw
