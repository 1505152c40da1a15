#include "ingest/frame_pool.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace {

lw::av::Frame frame_of(AVPixelFormat format, int width, int height) {
  lw::av::Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = width;
  frame->height = height;
  return frame;
}

}  // namespace

TEST_CASE("frames of a pool share memory, one after the other, and are always empty") {
  lw::FramePool pool;
  std::set<const std::uint8_t*> places;
  for (int i = 0; i < 20; ++i) {
    const auto frame = frame_of(AV_PIX_FMT_YUV420P, 33, 17);
    REQUIRE(pool.allocate(*frame));
    const auto* buffer = frame->buf[0];
    CHECK(std::all_of(buffer->data, buffer->data + buffer->size, [](std::uint8_t value) { return value == 0; }));
    std::fill_n(buffer->data, buffer->size, std::uint8_t{0xaa});
    places.insert(buffer->data);
  }
  CHECK(places.size() == 1);
}

TEST_CASE("a pool follows the size of the frames, and frames outlive it") {
  lw::av::Frame last;
  {
    lw::FramePool pool;
    for (const int width : {8, 640, 9, 640}) {
      last = frame_of(AV_PIX_FMT_RGB24, width, 10);
      REQUIRE(pool.allocate(*last));
      CHECK(last->linesize[0] >= 3 * width);
      std::fill_n(last->data[0], static_cast<std::size_t>(last->linesize[0]) * 10, std::uint8_t{1});
    }
    CHECK_FALSE(pool.allocate(*frame_of(AV_PIX_FMT_NONE, 8, 8)));
  }
  CHECK(last->data[0][0] == 1);
}
