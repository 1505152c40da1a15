// Two sides that see different frames of a stream keep the same ones of those that both see.
#include "probe/loads/frame_times.h"

#include <catch2/catch.hpp>

#include <set>

namespace lw {
namespace {

TEST_CASE("both sides keep the same frames, evenly spaced, however many there are") {
  for (const FrameRate rate : {FrameRate{60, 1}, FrameRate{30'000, 1001}, FrameRate{240, 1}}) {
    FrameTimes sent(rate), came(rate);
    const WallTime start{std::chrono::seconds{1'700'000'000} + Nanoseconds{7'654'321}};
    constexpr int frames = 30'000;
    for (int i = 0; i < frames; ++i) {
      const auto media_time = start + rate.duration_of(i);
      sent.add({media_time, media_time + Nanoseconds{40'000}});
      if (i >= 5000 && i % 10 != 3) came.add({media_time + Nanoseconds{1}, media_time + Nanoseconds{90'000}});
    }
    CHECK(sent.kept().size() <= FrameTimes::kept_max);
    CHECK(sent.kept().size() > FrameTimes::kept_max / 2 - 500);
    CHECK(came.kept().size() > FrameTimes::kept_max / 2 - 500);
    std::set<WallTime> departures, arrivals;
    for (const auto& frame : sent.kept()) departures.insert(frame.media_time);
    std::size_t common = 0;
    for (const auto& frame : came.kept()) common += departures.count(frame.media_time - Nanoseconds{1});
    CHECK(common > 1500);
    const auto step = sent.kept()[1].media_time - sent.kept()[0].media_time;
    for (std::size_t i = 1; i < sent.kept().size(); ++i) {
      const auto gap = sent.kept()[i].media_time - sent.kept()[i - 1].media_time - step;
      CHECK(std::abs(gap.count()) <= 2);
    }
  }
}

TEST_CASE("all frames of a short measurement are kept") {
  FrameTimes times({60, 1});
  for (int i = 0; i < 4096; ++i) times.add({WallTime{FrameRate{60, 1}.duration_of(i)}, {}});
  CHECK(times.kept().size() == 4096);
}

}  // namespace
}  // namespace lw
