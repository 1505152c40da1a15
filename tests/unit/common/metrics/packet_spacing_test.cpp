// Pins Cinst and VRX against streams whose figures follow from the model by hand.
#include "common/metrics/packet_spacing.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t packets = 1000;
constexpr SpacingModel linear{packets, 10ms, 1};
constexpr WallTime start{5000s};

// `burst` packets at once, then a pause, spread over the interval.
std::vector<PacketArrival> in_bursts(std::size_t burst, unsigned frames) {
  std::vector<PacketArrival> arrivals;
  for (unsigned frame = 0; frame < frames; ++frame)
    for (std::size_t packet = 0; packet < packets; ++packet)
      arrivals.push_back({start + frame * 10ms + (packet / burst * burst) * 10us, frame, packet});
  return arrivals;
}

}  // namespace

TEST_CASE("evenly spaced packets need no buffer") {
  const auto spacing = packet_spacing(linear, in_bursts(1, 5));
  CHECK(spacing.cinst_max == 1);
  CHECK(spacing.vrx_max == 0);  // taken at once
}

TEST_CASE("a burst fills both buckets") {
  const auto spacing = packet_spacing(linear, in_bursts(8, 5));
  CHECK(spacing.cinst_max == 8);
  CHECK(spacing.vrx_max == 7);
}

TEST_CASE("one late packet costs the receiver a buffer of its lateness") {
  auto arrivals = in_bursts(1, 2);
  arrivals[500].time += 55us;  // five and a half packets late; those after it come early
  for (std::size_t i = 501; i <= 505; ++i) arrivals[i].time = arrivals[500].time;
  const auto spacing = packet_spacing(linear, arrivals);
  CHECK(spacing.vrx_max == 6);
  CHECK(spacing.cinst_max > 4);
}

TEST_CASE("the clocks' offset does not matter") {
  auto arrivals = in_bursts(4, 3);
  const auto here = packet_spacing(linear, arrivals);
  for (auto& arrival : arrivals) arrival.time += 17s;
  const auto there = packet_spacing(linear, arrivals);
  CHECK(here.cinst_max == there.cinst_max);
  CHECK(here.vrx_max == there.vrx_max);
}

TEST_CASE("limits are those of the standard's examples") {
  // 3840x2160 RGB at 60 frames/s in packets of 8944 bytes.
  const SpacingModel uhd{2782, Nanoseconds{16'666'667}, 1};
  CHECK(narrow_limits(uhd).cinst == 4);
  CHECK(narrow_limits(uhd).vrx == 8);
  CHECK(wide_limits(uhd).cinst == 16);
  CHECK(wide_limits(uhd).vrx == 720);
  // Many small packets raise them.
  const SpacingModel dense{20'000, Nanoseconds{16'666'667}, 1};
  CHECK(narrow_limits(dense).cinst == 27);
  CHECK(narrow_limits(dense).vrx == 44);
}

TEST_CASE("without packets there are no figures") { CHECK(packet_spacing(linear, {}).cinst_max == 0); }
