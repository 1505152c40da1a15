// Pins Cinst and the limits against streams whose figures are known from the model, and the laws of the verdict.
#include "common/metrics/packet_spacing.h"

#include "tests/support/law_rounds.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t packets = 1000;
constexpr SpacingModel model{packets, 0.01};
constexpr WallTime start{5000s};

// `burst` packets at once, then a pause, spread over the interval.
std::vector<PacketArrival> in_bursts(std::size_t burst, unsigned frames) {
  std::vector<PacketArrival> arrivals;
  for (unsigned frame = 0; frame < frames; ++frame)
    for (std::size_t packet = 0; packet < packets; ++packet)
      arrivals.push_back({start + frame * 10ms + (packet / burst * burst) * 10us, frame, packet});
  return arrivals;
}

struct Stream {
  SpacingModel model;
  double active = 1;      // share of the frame in which packets are sent
  double clock_rate = 1;  // of the receiver's clock
  bool burst = false;     // the packets of each frame at once

  [[nodiscard]] std::vector<PacketArrival> arrivals(unsigned frames) const {
    std::vector<PacketArrival> arrivals;
    const auto count = static_cast<double>(model.packets_per_frame);
    for (unsigned frame = 0; frame < frames; ++frame)
      for (std::size_t packet = 0; packet < model.packets_per_frame; ++packet) {
        const double place = burst ? 0 : static_cast<double>(packet) * active / count;
        const double time_s = (frame + place) * model.frame_interval_s * clock_rate;
        arrivals.push_back({start + Nanoseconds{std::llround(time_s * 1e9)}, frame, packet});
      }
    return arrivals;
  }
};

// Any rate from 23.98 to 120 frames a second, any number of packets, either schedule, clocks up to 100 ppm apart.
Stream any_stream(std::mt19937_64& random, double packets_min) {
  const std::vector<double> rates{24'000.0 / 1001, 24, 25,  30'000.0 / 1001,  30, 50,
                                  60'000.0 / 1001, 60, 100, 120'000.0 / 1001, 120};
  std::uniform_real_distribution<double> rate(rates.front(), rates.back()), share(0, 1), drift(-100e-6, 100e-6);
  const double frames_per_s =
      share(random) < 0.5 ? rate(random) : rates[static_cast<std::size_t>(share(random) * 10.999)];
  const double count = packets_min * std::pow(20'000 / packets_min, share(random));
  return {{static_cast<std::size_t>(count), 1 / frames_per_s},
          share(random) < 0.5 ? 1 : active_share(ReadSchedule::gapped),
          1 + drift(random)};
}

unsigned frames_of(const Stream& stream) {
  return std::clamp(static_cast<unsigned>(60'000 / stream.model.packets_per_frame), 4U, 300U);
}

}  // namespace

TEST_CASE("evenly spaced packets need no buffer; the first of all leaves the bucket empty") {
  const auto spacing = packet_spacing(model, in_bursts(1, 5));
  CHECK(spacing.cinst_max == 0);
  CHECK(spacing.vrx_max_linear == 0);  // read out at once
  CHECK(sender_type(spacing, model) == SenderType::narrow_linear);
}

TEST_CASE("a burst fills both buckets") {
  const auto spacing = packet_spacing(model, in_bursts(8, 5));
  CHECK(spacing.cinst_max == 7);
  CHECK(spacing.vrx_max_linear == 7);
  CHECK(sender_type(spacing, model) == SenderType::wide);
}

TEST_CASE("one late packet costs the receiver a buffer of its lateness") {
  auto arrivals = in_bursts(1, 2);
  arrivals[500].time += 55us;  // five and a half packets late; those after it arrive early
  for (std::size_t i = 501; i <= 505; ++i) arrivals[i].time = arrivals[500].time;
  const auto spacing = packet_spacing(model, arrivals);
  CHECK(spacing.vrx_max_linear == 6);
  CHECK(spacing.cinst_max == 6);
}

TEST_CASE("the clocks' offset does not matter") {
  auto arrivals = in_bursts(4, 3);
  const auto here = packet_spacing(model, arrivals);
  for (auto& arrival : arrivals) arrival.time += 17s;
  const auto there = packet_spacing(model, arrivals);
  CHECK(here.cinst_max == there.cinst_max);
  CHECK(here.vrx_max_linear == there.vrx_max_linear);
  CHECK(here.vrx_max_gapped == there.vrx_max_gapped);
}

TEST_CASE("limits are those of the standard") {
  // 3840x2160 RGB at 60 frames/s in datagrams of 8944 bytes.
  const SpacingModel uhd{2782, 1.0 / 60, 8972};
  CHECK(limits_of(SenderType::narrow, uhd).cinst == 4);
  CHECK(limits_of(SenderType::narrow, uhd).vrx == 6);
  CHECK(limits_of(SenderType::wide, uhd).cinst == 16);
  CHECK(limits_of(SenderType::wide, uhd).vrx == 556);
  // 1920x1080 4:2:2 of 10 bits at 59.94: 4320 packets.
  const SpacingModel hd{4320, 1001.0 / 60'000};
  CHECK(limits_of(SenderType::narrow, hd).cinst == 6);
  CHECK(limits_of(SenderType::narrow_linear, hd).cinst == 5);
  CHECK(limits_of(SenderType::narrow, hd).vrx == 9);
  CHECK(limits_of(SenderType::narrow_linear, hd).vrx == 9);
  CHECK(limits_of(SenderType::wide, hd).vrx == 863);
  // Few packets.
  const SpacingModel small{100, 0.04};
  CHECK(limits_of(SenderType::narrow, small).cinst == 4);
  CHECK(limits_of(SenderType::narrow, small).vrx == 8);
  CHECK(limits_of(SenderType::wide, small).cinst == 16);
  CHECK(limits_of(SenderType::wide, small).vrx == 720);
  // A limit is not missed by the rounding of the period: 900 packets at 60 frames/s are twice 27,000 a second.
  CHECK(limits_of(SenderType::narrow, {4500, 1.0 / 60}).vrx == 10);
}

TEST_CASE("without packets there are no figures") { CHECK(packet_spacing(model, {}).cinst_max == 0); }

TEST_CASE("every even stream is narrow by its schedule") {
  std::mt19937_64 random(2110);
  for (unsigned run = 0; run < law_rounds(200); ++run) {
    const auto stream = any_stream(random, 2);
    const auto spacing = packet_spacing(stream.model, stream.arrivals(frames_of(stream)));
    INFO(1 / stream.model.frame_interval_s << " frames/s of " << stream.model.packets_per_frame << ", active "
                                           << stream.active << ", clock rate " << stream.clock_rate);
    CHECK(spacing.cinst_max <= 1);
    CHECK(conforms(spacing, stream.active == 1 ? SenderType::narrow_linear : SenderType::narrow, stream.model));
    CHECK((stream.active == 1 ? spacing.vrx_max_linear : spacing.vrx_max_gapped) <= 1);
  }
}

TEST_CASE("no stream that sends its frames in bursts is narrow") {
  std::mt19937_64 random(21);
  for (unsigned run = 0; run < law_rounds(200); ++run) {
    auto stream = any_stream(random, 6);  // the narrow bucket holds four, and one is on its way
    stream.burst = true;
    const auto spacing = packet_spacing(stream.model, stream.arrivals(frames_of(stream)));
    CHECK(spacing.cinst_max >= static_cast<double>(stream.model.packets_per_frame) - 1);
    CHECK_FALSE(conforms(spacing, SenderType::narrow, stream.model));
    CHECK_FALSE(conforms(spacing, SenderType::narrow_linear, stream.model));
  }
}
