#include "probe/loads/frame_statistics.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST_CASE("jitter and delay variation are computed from the delays of frames") {
  FrameStatistics statistics;
  const WallTime start{std::chrono::seconds{1'000'000'000}};
  // Every other frame 100 us later than the rest, whose delay is 2 ms.
  for (int i = 0; i < 200; ++i) {
    const auto media_time = start + i * milliseconds{20};
    statistics.add(
        {media_time + milliseconds{2} + (i % 2) * microseconds{100}, media_time, static_cast<std::uint16_t>(i)});
  }
  const auto figures = statistics.figures();
  CHECK(figures.at("frames") == 200);
  CHECK(figures.at("jitter_us") == Approx(100).epsilon(0.001));  // |D| is always 100 us
  CHECK(figures.at("jitter_us_max") <= 100);
  CHECK(figures.at("delay_us_min") == 2000);
  CHECK(figures.at("delay_us_p50") == 2000);
  CHECK(figures.at("pdv_us_p50") == 0);
  CHECK(figures.at("pdv_us_p99") == 100);
  CHECK(figures.at("pdv_us_max") == 100);
  CHECK(figures.at("frame_interval_us_min") == 19'900);
  CHECK(figures.at("frame_interval_us_max") == 20'100);
  CHECK(figures.at("frame_interval_us_mean") == Approx(20'000.5).epsilon(1e-4));
}

TEST_CASE("intervals are between consecutive frames: loss does not make them longer") {
  const WallTime start{std::chrono::seconds{1'000'000'000}};
  const auto arrived = [&](int frame, int delay_ms) {
    const auto media_time = start + frame * milliseconds{40};
    return FrameArrival{media_time + milliseconds{delay_ms}, media_time, static_cast<std::uint16_t>(65'530 + frame)};
  };
  FrameStatistics statistics;
  for (int frame = 0; frame < 100; ++frame)
    if (frame % 5 < 2) statistics.add(arrived(frame, frame % 5 == 1 ? 3 : 2));
  CHECK(statistics.figures().at("frames") == 40);
  CHECK(statistics.figures().at("frame_interval_us_min") == 41'000);
  CHECK(statistics.figures().at("frame_interval_us_mean") == 41'000);
  CHECK(statistics.figures().at("frame_interval_us_max") == 41'000);

  statistics.clear();
  statistics.add(arrived(0, 2));
  statistics.add(arrived(2, 2));
  CHECK(statistics.figures().count("frame_interval_us_mean") == 0);
  statistics.add(arrived(1, 45));  // overtaken
  CHECK(statistics.figures().at("frame_interval_us_max") == 83'000);
  CHECK(statistics.figures().at("frame_interval_us_min") == -3000);

  statistics.clear();
  statistics.add({start, start});  // from a sender that does not number its frames
  statistics.add({start + milliseconds{40}, start + milliseconds{40}});
  CHECK(statistics.figures().count("frame_interval_us_mean") == 0);
}

TEST_CASE("figures not measured are absent") {
  FrameStatistics statistics;
  CHECK(statistics.figures() == FlowFigures{{"frames", 0}});
  statistics.add({WallTime{milliseconds{3}}, WallTime{}});
  CHECK(statistics.figures().count("jitter_us") == 0);
  CHECK(statistics.figures().at("delay_us_min") == 3000);
  statistics.clear();
  CHECK(statistics.figures().at("frames") == 0);
}

TEST_CASE("quantiles are by nearest rank") {
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0.5) == 3);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0.99) == 5);
  CHECK(quantile_of({7}, 0) == 7);
}

}  // namespace
}  // namespace lw
