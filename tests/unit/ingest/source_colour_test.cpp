#include "ingest/source_colour.h"

#include <catch2/catch.hpp>

#include "tests/unit/ingest/frames.h"

namespace lw {
namespace {

TEST_CASE("a frame without tags is SDR of BT.709") {
  const auto frame = make_frame(AV_PIX_FMT_YUV420P, 2, 2);
  complete_tags(*frame, {});
  CHECK(frame->colorspace == AVCOL_SPC_UNSPECIFIED);
  CHECK(has_colours_of(source_colour(*frame), Colour{}));
  // sRGB is shown with the display's own curve.
  frame->color_trc = AVCOL_TRC_IEC61966_2_1;
  CHECK(has_colours_of(source_colour(*frame), Colour{}));
}

TEST_CASE("tags that are missing follow from the others") {
  const auto frame = make_frame(AV_PIX_FMT_YUV420P10LE, 2, 2);
  SECTION("the transfer function") {
    frame->color_trc = GENERATE(AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67);
    complete_tags(*frame, {});
    CHECK(frame->color_primaries == AVCOL_PRI_BT2020);
    CHECK(frame->colorspace == AVCOL_SPC_BT2020_NCL);
  }
  SECTION("the matrix") {
    frame->colorspace = AVCOL_SPC_BT2020_NCL;
    complete_tags(*frame, {});
    CHECK(source_colour(*frame) == SourceColour{AVCOL_PRI_BT2020, Transfer::sdr});
  }
  SECTION("tags that are there stay") {
    frame->color_trc = AVCOL_TRC_SMPTE2084;
    frame->color_primaries = AVCOL_PRI_SMPTE432;
    complete_tags(*frame, {});
    CHECK(has_colours_of(source_colour(*frame), {Primaries::p3, Transfer::pq}));
    CHECK(frame->colorspace == AVCOL_SPC_UNSPECIFIED);
  }
}

TEST_CASE("options replace tags") {
  const auto frame = make_frame(AV_PIX_FMT_YUV420P, 2, 2);
  frame->color_primaries = AVCOL_PRI_BT709;
  frame->color_trc = AVCOL_TRC_BT709;
  frame->colorspace = AVCOL_SPC_BT709;
  SourceTags tags;
  tags.primaries = source_primaries("p3");
  tags.transfer = Transfer::hlg;
  tags.matrix = source_matrix("bt601");
  tags.range = AVCOL_RANGE_JPEG;
  complete_tags(*frame, tags);
  CHECK(source_colour(*frame) == as_source({Primaries::p3, Transfer::hlg}));
  CHECK(frame->colorspace == AVCOL_SPC_SMPTE170M);
  CHECK(frame->color_range == AVCOL_RANGE_JPEG);
  CHECK(to_text(tags) != to_text(SourceTags{}));
}

TEST_CASE("people read which colours a source has, and which are assumed") {
  const auto frame = make_frame(AV_PIX_FMT_YUV420P, 2, 2);
  const Colour wide{Primaries::bt2020, Transfer::pq};
  CHECK(colours_text(*frame, {}, {}) == "no tag names its colours, which are taken as bt709 sdr");
  CHECK(colours_text(*frame, {}, wide) ==
        "no tag names its colours, which are taken as bt709 sdr, converted to bt2020 pq");
  frame->color_trc = AVCOL_TRC_SMPTE2084;
  CHECK(colours_text(*frame, {}, wide) == "its colours are bt2020 pq");
  frame->color_primaries = AVCOL_PRI_FILM;
  CHECK(colours_text(*frame, {}, {}) == "its colours are film pq, converted to bt709 sdr");
  SourceTags tags;
  tags.primaries = source_primaries("p3");
  CHECK(colours_text(*frame, tags, {}) == "its colours are p3 pq, converted to bt709 sdr");
}

TEST_CASE("a matrix that cannot be converted is an error, not a wrong colour") {
  const auto frame = make_frame(AV_PIX_FMT_YUV420P10LE, 2, 2);
  for (const auto matrix : {AVCOL_SPC_ICTCP, AVCOL_SPC_BT2020_CL}) {
    frame->colorspace = matrix;
    CHECK_THAT(check_matrix(*frame).error().text(), Catch::Contains("--source-matrix"));
  }
  frame->colorspace = AVCOL_SPC_BT2020_NCL;
  CHECK(check_matrix(*frame).has_value());
}

}  // namespace
}  // namespace lw
