// The law of receive naps: packets that arrive at the last moment are still taken in time to be shown.
#include "wall-client/receive/receive_nap.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("only threads that receive many flows nap, a small part of a frame and of the time to arrive") {
  Wall wall;
  for (const int hertz : {1, 10, 24, 60, 240}) {
    wall.frame_rate = FrameRate{hertz, 1};
    CHECK(receive_nap(wall, 1) == Nanoseconds{0});
    CHECK(receive_nap(wall, 8) == Nanoseconds{0});
    const auto nap = receive_nap(wall, 128);
    CHECK(nap > Nanoseconds{0});
    CHECK(nap * 10 < wall.frame_rate.duration_of(1));
    CHECK(nap < arrival_margin - wake_up_margin);
  }
  wall.sync.mode = SyncMode::wall;
  CHECK(receive_nap(wall, 128) == Nanoseconds{0});
}
