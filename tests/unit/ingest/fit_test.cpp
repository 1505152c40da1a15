#include "ingest/fit.h"

extern "C" {
#include <libavutil/display.h>
}

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/unit/ingest/frames.h"

namespace {

constexpr lw::Rect picture{0, 0, 64, 32};

lw::av::Frame noise(AVPixelFormat format, int width, int height) {
  auto frame = make_frame(format, width, height);
  std::mt19937 random(3);
  const bool planar_10 = format == AV_PIX_FMT_YUV422P10LE;
  for (int plane = 0; plane < 3 && frame->data[plane] != nullptr; ++plane)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < frame->linesize[plane]; ++x)
        frame->data[plane][y * frame->linesize[plane] + x] =
            static_cast<std::uint8_t>(planar_10 && x % 2 == 1 ? random() % 3 : random() & 255U);
  return frame;
}

struct Fitted {
  lw::FitGraph graph;
  const AVFrame* frame;
};

Fitted fitted(const AVFrame& source, lw::PixelFormat format, lw::Fit fit) {
  Fitted result{lw::FitGraph({picture, format, fit, std::nullopt}, {1, 1}), nullptr};
  REQUIRE(result.graph.push(&source).has_value());
  const auto frame = result.graph.pull();
  REQUIRE(frame.has_value());
  REQUIRE(*frame != nullptr);
  result.frame = *frame;
  CHECK(result.frame->width == 64);
  CHECK(result.frame->height == 32);
  CHECK(result.frame->format == lw::av_format(format));
  return result;
}

}  // namespace

TEST_CASE("RGB of the wall's size passes through bit by bit") {
  const auto source = noise(AV_PIX_FMT_RGB24, 64, 32);
  const auto result = fitted(*source, lw::PixelFormat::rgb8, lw::Fit::fit);
  bool same = true;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 192; ++x)
      same = same && sample<std::uint8_t>(*source, 0, x, y) == sample<std::uint8_t>(*result.frame, 0, x, y);
  CHECK(same);
}

TEST_CASE("4:2:2 of 10 bits and of the wall's size passes through bit by bit, tagged or not") {
  for (const auto tag : {AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_BT709}) {
    const auto source = noise(AV_PIX_FMT_YUV422P10LE, 64, 32);
    source->colorspace = tag;
    const auto result = fitted(*source, lw::PixelFormat::ycbcr422_10, lw::Fit::fit);
    bool same = true;
    for (int plane = 0; plane < 3; ++plane)
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < (plane == 0 ? 64 : 32); ++x)
          same =
              same && sample<std::uint16_t>(*source, plane, x, y) == sample<std::uint16_t>(*result.frame, plane, x, y);
    CHECK(same);
  }
}

TEST_CASE("content that does not fill the wall gets black borders, in every format") {
  const auto source = make_frame(AV_PIX_FMT_RGB24, 32, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 96; ++x) sample<std::uint8_t>(*source, 0, x, y) = 255;
  const auto rgb = fitted(*source, lw::PixelFormat::rgb8, lw::Fit::fit);
  CHECK(sample<std::uint8_t>(*rgb.frame, 0, 3 * 15, 10) == 0);
  CHECK(sample<std::uint8_t>(*rgb.frame, 0, 3 * 16, 10) == 255);
  CHECK(sample<std::uint8_t>(*rgb.frame, 0, 3 * 47 + 2, 10) == 255);
  CHECK(sample<std::uint8_t>(*rgb.frame, 0, 3 * 48, 10) == 0);
  const auto eight = fitted(*source, lw::PixelFormat::ycbcr422_8, lw::Fit::fit);
  CHECK(sample<std::uint8_t>(*eight.frame, 0, 0, 0) == 128);
  CHECK(sample<std::uint8_t>(*eight.frame, 0, 1, 0) == 16);
  CHECK(sample<std::uint8_t>(*eight.frame, 0, 2 * 32 + 1, 0) == 235);
  const auto ten = fitted(*source, lw::PixelFormat::ycbcr422_10, lw::Fit::fit);
  CHECK(sample<std::uint16_t>(*ten.frame, 0, 0, 0) == 64);
  CHECK(sample<std::uint16_t>(*ten.frame, 1, 0, 0) == 512);
  CHECK(sample<std::uint16_t>(*ten.frame, 0, 32, 0) == 940);
}

TEST_CASE("packed 4:2:2 is cut off in the middle, colours and all") {
  // FFmpeg's crop counts packed pixel groups wrongly: grey with one green stripe shows where the pixels come from.
  const auto source = make_frame(AV_PIX_FMT_UYVY422, 80, 32);
  source->colorspace = AVCOL_SPC_BT709;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 80; ++x) {
      sample<std::uint8_t>(*source, 0, 2 * x, y) = static_cast<std::uint8_t>(x / 2 == 20 ? 60 : 128);
      sample<std::uint8_t>(*source, 0, 2 * x + 1, y) = static_cast<std::uint8_t>(16 + x);
    }
  for (const auto fit : {lw::Fit::exact, lw::Fit::fill}) {
    const auto result = fitted(*source, lw::PixelFormat::ycbcr422_8, fit);
    for (int x = 0; x < 64; ++x) {
      CHECK(sample<std::uint8_t>(*result.frame, 0, 2 * x, 9) == (x / 2 == 16 ? 60 : 128));
      CHECK(sample<std::uint8_t>(*result.frame, 0, 2 * x + 1, 9) == 16 + 8 + x);
    }
  }
}

TEST_CASE("white and black of 16-bit RGB become those of the wall") {
  const auto source = make_frame(AV_PIX_FMT_RGB48LE, 64, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 192; ++x) sample<std::uint16_t>(*source, 0, x, y) = y < 16 ? 65535 : 0;
  const auto ten = fitted(*source, lw::PixelFormat::ycbcr422_10, lw::Fit::fit);
  CHECK(sample<std::uint16_t>(*ten.frame, 0, 9, 3) == 940);
  CHECK(sample<std::uint16_t>(*ten.frame, 0, 9, 20) == 64);
  CHECK(sample<std::uint16_t>(*ten.frame, 1, 9, 3) == 512);
  const auto eight = fitted(*source, lw::PixelFormat::ycbcr422_8, lw::Fit::fit);
  CHECK(sample<std::uint8_t>(*eight.frame, 0, 9, 3) == 235);
  CHECK(sample<std::uint8_t>(*eight.frame, 0, 9, 20) == 16);
}

TEST_CASE("RGB of 8, 10 and 16 bits becomes the nearest values of 10 bits") {
  struct Kind {
    AVPixelFormat format;
    unsigned most;
  };
  const auto [format, most] = GENERATE(Kind{AV_PIX_FMT_RGB24, 255}, Kind{AV_PIX_FMT_GBRP10LE, 1023},
                                       Kind{AV_PIX_FMT_RGB48LE, 65535}, Kind{AV_PIX_FMT_GBRP16LE, 65535});
  const bool planar = format == AV_PIX_FMT_GBRP10LE || format == AV_PIX_FMT_GBRP16LE;
  const auto source = make_frame(format, 64, 32);
  const auto value_at = [most = most](int x, int y, int channel) {
    return (static_cast<unsigned>(y * 64 + x) * most / 2047 + static_cast<unsigned>(channel) * 7) % (most + 1);
  };
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 64; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        const auto value = value_at(x, y, channel);
        if (format == AV_PIX_FMT_RGB24)
          sample<std::uint8_t>(*source, 0, 3 * x + channel, y) = static_cast<std::uint8_t>(value);
        else
          sample<std::uint16_t>(*source, planar ? (channel + 2) % 3 : 0, planar ? x : 3 * x + channel, y) =
              static_cast<std::uint16_t>(value);
      }
  const auto ten = fitted(*source, lw::PixelFormat::rgb10, lw::Fit::fit);
  // A value of 16 bits may lie in the middle between two.
  const double tolerance = most > 1023 ? 0.51 : 0.5;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 64; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        const double exact = value_at(x, y, channel) * 1023.0 / most;
        REQUIRE(std::abs(sample<std::uint16_t>(*ten.frame, (channel + 2) % 3, x, y) - exact) <= tolerance);
      }
}

TEST_CASE("Y'CbCr becomes RGB of 10 bits: white, black, and colours outside R'G'B' clipped") {
  const auto source = make_frame(AV_PIX_FMT_YUV422P10LE, 64, 32);
  source->colorspace = AVCOL_SPC_BT709;
  source->color_range = AVCOL_RANGE_MPEG;
  const auto fill = [&](int x, std::uint16_t luma, std::uint16_t blue, std::uint16_t red) {
    for (int y = 0; y < 32; ++y)
      for (int i = 0; i < 16; ++i) {
        sample<std::uint16_t>(*source, 0, x + i, y) = luma;
        sample<std::uint16_t>(*source, 1, (x + i) / 2, y) = blue;
        sample<std::uint16_t>(*source, 2, (x + i) / 2, y) = red;
      }
  };
  fill(0, 940, 512, 512);
  fill(16, 64, 512, 512);
  fill(32, 250, 409, 960);  // red
  fill(48, 1019, 512, 960);
  const auto ten = fitted(*source, lw::PixelFormat::rgb10, lw::Fit::fit);
  const auto near = [&](int x, std::array<int, 3> rgb) {
    for (int channel = 0; channel < 3; ++channel)
      CHECK(std::abs(sample<std::uint16_t>(*ten.frame, (channel + 2) % 3, x, 9) -
                     rgb[static_cast<std::size_t>(channel)]) <= 1);
  };
  near(8, {1023, 1023, 1023});
  near(24, {0, 0, 0});
  near(40, {1023, 0, 0});
  CHECK(sample<std::uint16_t>(*ten.frame, 2, 56, 9) == 1023);
}

TEST_CASE("exact is centred: cut off where the source is larger, black where it is smaller") {
  const auto source = noise(AV_PIX_FMT_RGB24, 80, 20);  // 8 columns too many at each side, 6 rows too few
  const auto result = fitted(*source, lw::PixelFormat::rgb8, lw::Fit::exact);
  CHECK(sample<std::uint8_t>(*result.frame, 0, 0, 5) == 0);
  CHECK(sample<std::uint8_t>(*result.frame, 0, 0, 6) == sample<std::uint8_t>(*source, 0, 3 * 8, 0));
  CHECK(sample<std::uint8_t>(*result.frame, 0, 3 * 63 + 1, 25) == sample<std::uint8_t>(*source, 0, 3 * 71 + 1, 19));
  CHECK(sample<std::uint8_t>(*result.frame, 0, 3 * 63 + 1, 26) == 0);
}

TEST_CASE("a rotated video is shown upright") {
  const auto source = noise(AV_PIX_FMT_RGB24, 32, 64);
  auto* side = av_frame_new_side_data(source.get(), AV_FRAME_DATA_DISPLAYMATRIX, 9 * sizeof(std::int32_t));
  auto* matrix = reinterpret_cast<std::int32_t*>(side->data);

  SECTION("a quarter turn clockwise") {
    av_display_rotation_set(matrix, 90);
    const auto result = fitted(*source, lw::PixelFormat::rgb8, lw::Fit::fit);
    // Clockwise, the bottom left corner becomes the top left one.
    CHECK(sample<std::uint8_t>(*result.frame, 0, 0, 0) == sample<std::uint8_t>(*source, 0, 0, 63));
    CHECK(sample<std::uint8_t>(*result.frame, 0, 3 * 63, 0) == sample<std::uint8_t>(*source, 0, 0, 0));
  }
  SECTION("a quarter turn the other way") {
    av_display_rotation_set(matrix, -90);
    const auto result = fitted(*source, lw::PixelFormat::rgb8, lw::Fit::fit);
    CHECK(sample<std::uint8_t>(*result.frame, 0, 0, 0) == sample<std::uint8_t>(*source, 0, 3 * 31, 0));
    CHECK(sample<std::uint8_t>(*result.frame, 0, 0, 31) == sample<std::uint8_t>(*source, 0, 0, 0));
  }
}

TEST_CASE("a change of rate repeats and skips frames, and keeps the last one") {
  for (const auto& [rate, frames] : {std::pair{15, 15}, std::pair{30, 30}, std::pair{60, 60}}) {
    lw::FitGraph graph({picture, lw::PixelFormat::rgb8, lw::Fit::fit, lw::FrameRate{rate, 1}}, {1, 30});
    int made = 0;
    const auto pull = [&] {
      for (auto frame = graph.pull(); frame && *frame != nullptr; frame = graph.pull()) ++made;
    };
    for (int i = 0; i < 30; ++i) {
      const auto source = make_frame(AV_PIX_FMT_RGB24, 64, 32);
      source->pts = i;
      source->pkt_duration = 1;
      REQUIRE(graph.push(source.get()).has_value());
      pull();
    }
    REQUIRE(graph.push(nullptr).has_value());
    pull();
    CHECK(made == frames);
  }
}
