#include "ingest/background.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>

#include "common/store/store_files.h"
#include "ingest/ingest.h"
#include "tests/support/store_folder.h"
#include "tests/unit/ingest/clip_writer.h"
#include "tests/unit/ingest/frames.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace {

const lw::Background colour{200, 40, 90};

// One sample, as FFmpeg itself finds it.
unsigned read_sample(const AVFrame& frame, int component, int x, int y) {
  const auto* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  std::uint16_t value = 0;
  const std::uint8_t* planes[4] = {frame.data[0], frame.data[1], frame.data[2], frame.data[3]};
  av_read_image_line(&value, planes, frame.linesize, format, x, y, component, 1, 0);
  return value;
}

using Drawn = std::function<std::uint16_t(int x, unsigned max)>;

void fill_at_random(AVFrame& frame, std::mt19937& random, const Drawn& alpha = {}) {
  const auto* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const auto max = (1U << static_cast<unsigned>(format->comp[0].depth)) - 1;
  for (const auto* buffer : frame.buf)  // FFmpeg adds bits to those that are there
    if (buffer != nullptr) std::memset(buffer->data, 0, buffer->size);
  for (int c = 0; c < format->nb_components; ++c) {
    const bool chroma = format->nb_components == 4 && (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 && (c == 1 || c == 2);
    const int width = chroma ? AV_CEIL_RSHIFT(frame.width, format->log2_chroma_w) : frame.width;
    const int height = chroma ? AV_CEIL_RSHIFT(frame.height, format->log2_chroma_h) : frame.height;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto drawn = static_cast<std::uint16_t>(random() % 4 == 0   ? max
                                                      : random() % 4 == 0 ? 0
                                                                          : random() % (max + 1));
        const auto value = alpha && c == format->nb_components - 1 ? alpha(x, max) : drawn;
        av_write_image_line(&value, frame.data, frame.linesize, format, x, y, c, 1);
      }
  }
}

}  // namespace

TEST_CASE("RGB and grey in any layout are mixed with the background as their alpha says") {
  const auto pixels = GENERATE(AV_PIX_FMT_RGBA, AV_PIX_FMT_BGRA, AV_PIX_FMT_ARGB, AV_PIX_FMT_ABGR, AV_PIX_FMT_GBRAP,
                               AV_PIX_FMT_YA8, AV_PIX_FMT_YA16BE, AV_PIX_FMT_YA16LE, AV_PIX_FMT_RGBA64BE,
                               AV_PIX_FMT_RGBA64LE, AV_PIX_FMT_GBRAP10LE, AV_PIX_FMT_GBRAP12LE, AV_PIX_FMT_GBRAP16LE);
  CAPTURE(av_get_pix_fmt_name(pixels));
  std::mt19937 random(1);
  const auto frame = make_frame(pixels, 13, 5);
  fill_at_random(*frame, random);
  REQUIRE(lw::has_alpha(*frame));
  lw::FramePool pool;
  const auto opaque = lw::put_under(colour, *frame, pool);
  REQUIRE(opaque.has_value());
  CHECK_FALSE(lw::has_alpha(**opaque));
  const auto* format = av_pix_fmt_desc_get(pixels);
  const double max = std::pow(2, format->comp[0].depth) - 1;
  const double white = format->comp[0].depth > 8 ? 65535 : 255;
  const bool grey = format->nb_components == 2;
  const double under[] = {200, 40, 90};
  double worst = 0;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 13; ++x)
      for (int c = 0; c < 3; ++c) {
        const double alpha = read_sample(*frame, grey ? 1 : 3, x, y) / max;
        const double over = read_sample(*frame, grey ? 0 : c, x, y) / max;
        const double wanted = (over * alpha + under[c] / 255 * (1 - alpha)) * white;
        worst = std::max(worst, std::abs(read_sample(**opaque, c, x, y) - wanted));
      }
  CHECK(worst <= 1);
}

TEST_CASE("YCbCr is mixed with the background in its own planes") {
  const auto pixels = GENERATE(AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUVA422P, AV_PIX_FMT_YUVA444P, AV_PIX_FMT_YUVA444P10LE,
                               AV_PIX_FMT_YUVA444P12LE, AV_PIX_FMT_YUVA422P10BE, AV_PIX_FMT_YUVA444P16LE);
  CAPTURE(av_get_pix_fmt_name(pixels));
  std::mt19937 random(2);
  const auto frame = make_frame(pixels, 14, 6);
  frame->colorspace = AVCOL_SPC_BT709;
  // The left half is opaque, the right half empty.
  fill_at_random(*frame, random, [](int x, unsigned max) { return static_cast<std::uint16_t>(x < 8 ? max : 0); });
  const auto* format = av_pix_fmt_desc_get(pixels);
  const auto max = (1U << static_cast<unsigned>(format->comp[0].depth)) - 1;
  REQUIRE(lw::has_alpha(*frame));
  lw::FramePool pool;
  const auto opaque = lw::put_under(colour, *frame, pool);
  REQUIRE(opaque.has_value());
  CHECK_FALSE(lw::has_alpha(**opaque));
  const double unit = (max + 1) / 256.0;
  // Of #c8285a by BT.709, narrow range.
  const double wanted[] = {82.7 * unit, 133.9 * unit, 196.3 * unit};
  for (int c = 0; c < 3; ++c) {
    const int shift = c == 0 ? 0 : format->log2_chroma_w;
    CHECK(read_sample(**opaque, c, 2 >> shift, 2) == read_sample(*frame, c, 2 >> shift, 2));
    CHECK(std::abs(read_sample(**opaque, c, 12 >> shift, 2) - wanted[c]) < unit);
  }
}

TEST_CASE("EXR is mixed in linear light, where its colours are multiplied by alpha already") {
  const auto frame = make_frame(AV_PIX_FMT_GBRAPF32, 4, 1);
  const float alphas[] = {1, 0, 0.5F, 0};
  for (int x = 0; x < 4; ++x) {
    for (int plane = 0; plane < 3; ++plane) sample<float>(*frame, plane, x, 0) = x == 1 ? 0 : 0.5F;
    sample<float>(*frame, 3, x, 0) = alphas[x];
  }
  lw::FramePool pool;
  const auto opaque = lw::put_under({255, 255, 255}, *frame, pool);
  REQUIRE(opaque.has_value());
  const auto linear = [](double v) { return std::pow((v + 0.055) / 1.055, 2.4); };
  const auto encoded = [](double v) { return 1.055 * std::pow(v, 1 / 2.4) - 0.055; };
  CHECK(sample<float>(**opaque, 0, 0, 0) == 0.5F);
  CHECK(sample<float>(**opaque, 1, 1, 0) == Approx(1));
  CHECK(sample<float>(**opaque, 2, 2, 0) == Approx(encoded(linear(0.5) + 0.5)));
  CHECK(sample<float>(**opaque, 2, 3, 0) == Approx(encoded(linear(0.5) + 1)));  // light that covers nothing
}

TEST_CASE("PNG and EXR with alpha are imported over the colour that is given, or black") {
  const StoreFolder folder;
  const bool png = GENERATE(true, false);
  const auto file = folder.path / (png ? "image.png" : "image.exr");
  // Opaque red, half of it, nothing.
  const double alphas[] = {1, 0.5, 0};
  write_clip(file, {png ? "png" : "exr", png ? AV_PIX_FMT_RGBA : AV_PIX_FMT_GBRAPF32, 48, 8}, {0}, 1,
             [&](AVFrame& frame, std::size_t) {
               for (int y = 0; y < 8; ++y)
                 for (int x = 0; x < 48; ++x) {
                   const auto alpha = alphas[x / 16];
                   if (png) {
                     const std::uint8_t rgba[] = {255, 0, 0, static_cast<std::uint8_t>(std::lround(alpha * 255))};
                     std::memcpy(&sample<std::uint8_t>(frame, 0, x * 4, y), rgba, 4);
                   } else {
                     for (int plane = 0; plane < 4; ++plane)
                       sample<float>(frame, plane, x, y) = static_cast<float>(plane < 2 ? 0 : alpha);
                   }
                 }
             });
  lw::Wall wall;
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = 48, .tile_height = 8});
  wall.frame_rate = {30, 1};
  lw::IngestOptions options;
  options.input = file.string();
  options.out = {folder.path};
  options.name = "x";
  options.json = true;
  options.background = {0, 0, 255};
  const std::atomic<bool> never_stops{false};
  const auto pixel = [&](int x) {
    REQUIRE(lw::ingest(options, wall, never_stops).has_value());
    options.overwrite = true;
    std::ifstream store(folder.path / "x/tile-0-0.npy", std::ios::binary);
    store.seekg(4096 + x * 3);
    return std::vector<int>{store.get(), store.get(), store.get()};
  };
  CHECK(pixel(5) == std::vector{255, 0, 0});
  // Half of the light is brighter than half of the code value.
  CHECK(pixel(20) == (png ? std::vector{128, 0, 127} : std::vector{188, 0, 188}));
  CHECK(pixel(40) == std::vector{0, 0, 255});
  options.background = {};
  CHECK(pixel(40) == std::vector{0, 0, 0});
}

TEST_CASE("backgrounds are given as numbers or names") {
  CHECK(lw::parse_background("#102030").value() == lw::Background{0x10, 0x20, 0x30});
  CHECK(lw::parse_background("white").value() == lw::Background{255, 255, 255});
  for (const char* wrong : {"", "whitish", "#10203", "#10203040", "white@0.5", "random", "bikeshed"})
    CHECK(lw::parse_background(wrong).has_error());
}
