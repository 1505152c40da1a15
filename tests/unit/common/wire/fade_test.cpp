// Pins the brightness of a fading wall: the same wherever it is computed, black in the middle, and full for a node that
// joins late.
#include "common/wire/fade.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};
constexpr Fade fade{start, start + 400ms, start + 600ms, start + 1s};

}  // namespace

TEST_CASE("a fade goes to black and back along two lines") {
  CHECK(fade.brightness_at(start - 1h) == 1);
  CHECK(fade.brightness_at(start) == 1);
  CHECK(fade.brightness_at(start + 100ms) == Approx(0.75));
  CHECK(fade.brightness_at(start + 400ms) == 0);
  CHECK(fade.brightness_at(start + 600ms) == 0);
  CHECK(fade.brightness_at(start + 700ms) == Approx(0.25));
  CHECK(fade.brightness_at(start + 1s) == 1);
  CHECK(fade.brightness_at(start + 1h) == 1);
}

TEST_CASE("without a fade it is always bright, and a fade of no length is never dark") {
  CHECK(Fades{}.brightness_at(start) == 1);
  CHECK(Fade{start, start, start, start}.brightness_at(start) == 1);
}

TEST_CASE("a fade that begins black, or is bright again at once, has no line on that side") {
  CHECK(Fade{start, start, start + 100ms, start + 200ms}.brightness_at(start) == 0);
  // A cut while the wall darkens.
  const Fade cut{start, start + 400ms, start + 200ms, start + 200ms};
  CHECK(cut.brightness_at(start + 100ms) == Approx(0.75));
  CHECK(cut.brightness_at(start + 200ms) == 1);
}

TEST_CASE("a fade that begins before the last one is over causes no jump") {
  Fades fades;
  fades.add(fade);
  const auto again = start + 700ms;
  fades.add({again, again + 400ms, again + 400ms, again + 800ms});
  for (auto time = start; time < again + 1s; time += 1ms)
    CHECK(std::abs(fades.brightness_at(time) - fades.brightness_at(time + 1ms)) < 0.004);
  CHECK(fades.brightness_at(again + 400ms) == 0);
  CHECK(fades.brightness_at(again + 800ms) == 1);
}
