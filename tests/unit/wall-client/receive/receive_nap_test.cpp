// The laws of receive naps: packets that arrive at the last moment are still taken in time to be shown, and what
// arrives during a nap fits into the socket.
#include "wall-client/receive/receive_nap.h"

#include "tests/support/network.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds shortest = 55us;

std::size_t bytes_in(Nanoseconds time, BitRate rate) {
  return static_cast<std::size_t>(rate.bits_per_second / 8e9 * static_cast<double>(time.count()));
}

// What the naps take in the end, of a flow that is emptied by each wake; its wakes without a nap take one run.
std::size_t bytes_per_wake(DrainNap& nap, BitRate rate) {
  std::size_t bytes = 0;
  for (int i = 0; i < 500; ++i) {
    const auto time = nap.next();
    bytes = time > Nanoseconds{0} ? bytes_in(time, rate) : 62'300;
    nap.took(bytes);
  }
  return bytes;
}

}  // namespace

TEST_CASE("threads nap a small part of a frame and of the time to arrive, those of few flows each for itself") {
  Wall wall;
  for (const int hertz : {1, 10, 24, 60, 240}) {
    wall.frame_rate = FrameRate{hertz, 1};
    CHECK(receive_nap(wall, 1) == Nanoseconds{0});
    CHECK(receive_nap(wall, 8) == Nanoseconds{0});
    const auto nap = receive_nap(wall, 128);
    CHECK(nap > Nanoseconds{0});
    CHECK(nap * 10 < wall.frame_rate.duration_of(1));
    CHECK(nap < arrival_margin - wake_up_margin);
    CHECK(longest_nap(wall) == nap);
  }
  wall.streaming.busy_poll = 50us;
  CHECK(longest_nap(wall) == Nanoseconds{0});
  wall.streaming.busy_poll = 0us;
  wall.sync.mode = SyncMode::wall;
  CHECK(receive_nap(wall, 128) == Nanoseconds{0});
  CHECK(longest_nap(wall) == Nanoseconds{0});
}

TEST_CASE("at any rate that lets it sleep, a flow takes about half a MiB in a wake") {
  Wall wall;
  wall.frame_rate = FrameRate{30, 1};
  for (const double gbit : {2.0, 5.0, 10.0, 25.0, 40.0}) {
    const auto rate = BitRate::gbit(gbit);
    DrainNap nap(wall, std::size_t{64} << 20U, rate);
    nap.set_shortest(shortest);
    const auto bytes = bytes_per_wake(nap, rate);
    INFO(gbit << " Gbit/s");
    CHECK(bytes >= std::size_t{340} << 10U);
    CHECK(bytes <= std::size_t{684} << 10U);
  }
}

TEST_CASE("a slow flow naps as long as it may, and one that sends nothing does not nap") {
  Wall wall;
  wall.frame_rate = FrameRate{30, 1};
  const auto rate = BitRate::gbit(0.1);
  DrainNap nap(wall, std::size_t{4} << 20U, rate);
  nap.set_shortest(shortest);
  CHECK(bytes_per_wake(nap, rate) == bytes_in(longest_nap(wall), rate));
  (void)nap.next();
  CHECK(nap.next() == Nanoseconds{0});
  CHECK(nap.next() == Nanoseconds{0});
}

TEST_CASE("the law: whatever came before, a nap is not longer than it may be, nor than an eighth of the socket lasts") {
  truth::Random random(5);
  for (int i = 0; i < 2000; ++i) {
    Wall wall;
    wall.frame_rate = FrameRate{static_cast<int>(random.between(1, 240)), 1};
    const auto socket = static_cast<std::size_t>(random.between(100, 65'536)) << 10U;
    const auto rate = BitRate::gbit(static_cast<double>(random.between(1, 40'000)) / 1000);
    DrainNap nap(wall, socket, rate);
    nap.set_shortest(std::chrono::microseconds{random.between(1, 100)});
    for (int k = 0; k < 40; ++k) {
      const auto time = nap.next();
      REQUIRE(time <= longest_nap(wall));
      REQUIRE(bytes_in(time, rate) <= socket / 8);
      for (auto calls = random.below(3); calls > 0; --calls) nap.took(random.below(std::size_t{8} << 20U));
    }
  }
}
