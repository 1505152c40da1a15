#include "ingest/fit_chain.h"

#include <catch2/catch.hpp>

#include "tests/unit/ingest/frames.h"

namespace lw {
namespace {

constexpr Rect picture{0, 0, 64, 32};

TEST_CASE("SDR of BT.709 has the filters that it had before walls had colours") {
  const auto chain = [](AVPixelFormat source, int width, int height, PixelFormat format) {
    const auto frame = make_frame(source, width, height);
    complete_tags(*frame, {});
    const auto made = fit_chain({picture, format, Fit::fit, {}}, *frame);
    CHECK_FALSE(made.to_convert);
    return made.filters;
  };
  CHECK(chain(AV_PIX_FMT_RGB24, 64, 32, PixelFormat::rgb8) == "null");
  CHECK(chain(AV_PIX_FMT_YUV422P10LE, 64, 32, PixelFormat::ycbcr422_10) == "null");
  CHECK(chain(AV_PIX_FMT_YUV420P, 128, 64, PixelFormat::rgb8) ==
        "scale=w=64:h=32:in_color_matrix=bt601:in_range=tv:out_range=pc:"
        "flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24");
  CHECK(chain(AV_PIX_FMT_YUV420P, 1280, 720, PixelFormat::ycbcr422_10) ==
        "scale=w=56:h=32:in_color_matrix=bt709:in_range=tv:out_color_matrix=bt709:out_range=tv:out_h_chr_pos=0:"
        "flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv422p10le,pad=64:32:4:0");
}

TEST_CASE("a matrix follows from the primaries, or from the size of a frame without tags") {
  const auto red_of = [](int height, AVColorTransferCharacteristic transfer, AVColorSpace matrix) {
    const auto frame = make_frame(AV_PIX_FMT_YUV420P10LE, 64, height);
    frame->color_trc = transfer;
    frame->colorspace = matrix;
    complete_tags(*frame, {});
    const Wanted wide{picture, PixelFormat::rgb8, Fit::fit, {}, {Primaries::p3, Transfer::sdr}};
    const auto chain = fit_chain(wide, *frame);
    REQUIRE(chain.to_convert);
    return chain.to_convert->luma.red;
  };
  CHECK(red_of(480, AVCOL_TRC_UNSPECIFIED, AVCOL_SPC_UNSPECIFIED) == 0.299F);
  CHECK(red_of(720, AVCOL_TRC_UNSPECIFIED, AVCOL_SPC_UNSPECIFIED) == 0.2126F);
  CHECK(red_of(480, AVCOL_TRC_UNSPECIFIED, AVCOL_SPC_BT709) == 0.2126F);
  CHECK(red_of(480, AVCOL_TRC_SMPTE2084, AVCOL_SPC_UNSPECIFIED) == 0.2627F);
}

}  // namespace
}  // namespace lw
