// Run where PipeWire runs: by tests/e2e/sound_device_test.py.
#include "wall-client/sound/pipewire_output.h"

#include "common/base/sound_time.h"

#include <catch2/catch.hpp>

#include <thread>
#include <vector>

namespace lw {
namespace {

// The law: the library's thread, which asks for samples at any moment, never meets a stream that is gone.
TEST_CASE("an output to PipeWire ends, and changes its channels, while samples are asked for", "[.pipewire]") {
  const std::vector<std::int32_t> samples(2 * 48, 1 << 20);
  for (int i = 0; i < 60; ++i) {
    auto output = PipewireOutput::open("");
    REQUIRE(output.has_value());
    for (unsigned turn = 0; turn < 4; ++turn) {
      const unsigned channels = 2 - turn % 2;
      const auto now = WallClock::now();
      (*output)->play(
          {48 * (i + turn), channels, std::span(samples).first(48 * std::size_t{channels}), now, now, false});
      // The times at which it ends spread over the cycle in which samples are asked for.
      std::this_thread::sleep_for(std::chrono::microseconds{5000 + 370 * i});
    }
  }
}

}  // namespace
}  // namespace lw
