// Pins the store of sent frames: found by sequence number across the wrap, bounded, and its buffers are returned.
#include "server/send/sent_frames.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

SentFrame frame_of(FrameBuffer& buffer, std::uint32_t first, std::uint32_t packets, WallTime time = WallTime{1s}) {
  return {&buffer, FrameStamp{time, 0, 0, 0}, first, packets};
}

}  // namespace

TEST_CASE("a packet is found in the frame it was sent in, also across the wrap of numbers") {
  FrameBuffer a;
  FrameBuffer b;
  SentFrames sent(4);
  sent.add(frame_of(a, 0xffff'fff0U, 10));
  sent.add(frame_of(b, 0xffff'fffaU, 20));
  REQUIRE(sent.find(0xffff'fff9U) != nullptr);
  CHECK(sent.find(0xffff'fff9U)->buffer == &a);
  REQUIRE(sent.find(13) != nullptr);
  CHECK(sent.find(13)->buffer == &b);
  CHECK(sent.find(14) == nullptr);
  CHECK(sent.find(0xffff'ffefU) == nullptr);
  sent.set_packets(21);
  CHECK(sent.find(14) != nullptr);
}

TEST_CASE("the oldest frame makes room, and expired ones are removed: each buffer is returned once") {
  FrameBuffer buffers[3];
  {
    SentFrames sent(2);
    for (unsigned i = 0; i < 3; ++i) sent.add(frame_of(buffers[i], i * 100, 100, WallTime{std::chrono::seconds{i}}));
    CHECK(buffers[0].users == 0);
    CHECK(sent.find(50) == nullptr);
    sent.forget_before(WallTime{2s});
    CHECK(buffers[1].users == 0);
    CHECK(buffers[2].users == 1);
  }
  CHECK(buffers[2].users == 0);
}

TEST_CASE("a store without room keeps nothing") {
  FrameBuffer buffer;
  SentFrames sent(0);
  sent.add(frame_of(buffer, 0, 10));
  CHECK(buffer.users == 0);
  CHECK(sent.find(0) == nullptr);
}
