#include "common/metrics/virtual_receive_buffer.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{5000s};

Nanoseconds of_seconds(double seconds) { return Nanoseconds{std::llround(seconds * 1e9)}; }

// The buffer by its definition: at each arrival, the packets that have arrived in order and are read later.
double counted(ReadSchedule schedule, double count, double frame_s, const std::vector<PacketArrival>& arrivals) {
  const double packet_s = frame_s * active_share(schedule) / count;
  std::vector<double> reads, times;
  double offset = 0;  // at least: the first packet is due at 0
  for (const auto& arrival : arrivals) {
    times.push_back(std::chrono::duration<double>(arrival.time - start).count());
    reads.push_back(static_cast<double>(arrival.frame) * frame_s + static_cast<double>(arrival.packet) * packet_s);
    offset = std::max(offset, times.back() - reads.back());
  }
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < reads.size(); ++i)
    most = std::max(most, std::count_if(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                        [&](double read) { return read + offset > times[i] + 1e-9; }));
  return static_cast<double>(most);
}

}  // namespace

TEST_CASE("VRX is the most packets that wait, by either schedule") {
  std::mt19937_64 random(66);
  std::uniform_real_distribution<double> share(0, 1);
  for (unsigned run = 0; run < 300; ++run) {
    // Few frames over a short time, so that no clock rate matters.
    const auto count = static_cast<std::size_t>(2 + 20 * share(random));
    const double frame_s = 1e-3 * (1 + share(random)), late_max_s = frame_s * share(random);
    std::vector<PacketArrival> arrivals;
    double time_s = 0;
    for (unsigned frame = 0; frame < 6; ++frame)
      for (std::size_t packet = 0; packet < count; ++packet) {
        const double due_s = (frame + static_cast<double>(packet) / static_cast<double>(count)) * frame_s;
        // In order. The first two frames arrive late in their time, so that no packet waits with earlier frames.
        time_s = std::max(time_s, due_s + late_max_s * (frame < 2 ? 1 : share(random)));
        arrivals.push_back({start + of_seconds(time_s), frame, packet});
      }
    for (const auto schedule : {ReadSchedule::gapped, ReadSchedule::linear}) {
      const double vrx = vrx_max(schedule, count, frame_s, arrivals);
      CHECK(std::abs(vrx - counted(schedule, static_cast<double>(count), frame_s, arrivals)) <= 1);
    }
  }
}

TEST_CASE("a packet that comes before its frame is read waits with those of the frame before only") {
  // Ten packets a frame. The first of each arrives half a gap earlier than the others allow.
  std::vector<PacketArrival> arrivals;
  constexpr double frame_s = 0.01, packet_s = frame_s * 0.96 / 10, gap_s = frame_s * 0.04;
  for (unsigned frame = 0; frame < 20; ++frame)
    for (std::size_t packet = 0; packet < 10; ++packet)
      arrivals.push_back(
          {start + of_seconds(frame * frame_s + static_cast<double>(packet) * packet_s - (packet == 0 ? gap_s / 2 : 0)),
           frame, packet});
  CHECK(vrx_max(ReadSchedule::gapped, 10, frame_s, arrivals) == 1);
}

TEST_CASE("arrivals may be in any order") {
  std::vector<PacketArrival> arrivals;
  for (unsigned i = 0; i < 400; ++i) arrivals.push_back({start + i * 1ms, i / 40, i % 40});
  const double in_order = vrx_max(ReadSchedule::linear, 40, 0.04, arrivals);
  CHECK(in_order == 0);
  std::shuffle(arrivals.begin(), arrivals.end(), std::mt19937_64(1));
  CHECK(vrx_max(ReadSchedule::linear, 40, 0.04, arrivals) == in_order);
}

TEST_CASE("clocks that wander slowly do not fill the buffer; a delay of a few frames does") {
  // 100 packets in 10 ms. The receiver's clock swings by 5 ms within 10 minutes: at most 52 ppm.
  std::vector<PacketArrival> arrivals;
  constexpr double turn = 6.283185307179586;
  for (unsigned frame = 0; frame < 60'000; ++frame)
    for (std::size_t packet = 0; packet < 100; packet += 11) {
      const double time_s = frame * 0.01 + static_cast<double>(packet) * 1e-4;
      arrivals.push_back({start + of_seconds(time_s + 0.005 * std::sin(turn * time_s / 600)), frame, packet});
    }
  CHECK(vrx_max(ReadSchedule::linear, 100, 0.01, arrivals) <= 1);
  for (auto& arrival : arrivals)
    if (arrival.frame >= 30'000 && arrival.frame < 30'003) arrival.time += 2ms;
  const double vrx = vrx_max(ReadSchedule::linear, 100, 0.01, arrivals);
  CHECK(vrx >= 19);
  CHECK(vrx <= 21);
}

TEST_CASE("a clock that runs faster than two computers' clocks may is the sender's fault") {
  std::vector<PacketArrival> arrivals;
  for (unsigned i = 0; i < 3000; ++i)
    arrivals.push_back({start + of_seconds(i * 1e-3 * (1 + 1200e-6)), i / 10, i % 10});
  // Within a second, a millisecond more than 200 ppm explain: one packet.
  const double vrx = vrx_max(ReadSchedule::linear, 10, 0.01, arrivals);
  CHECK(vrx >= 1);
  CHECK(vrx <= 2);
  for (auto& arrival : arrivals) arrival.time = start + (arrival.time - start) * 101 / 100;
  CHECK(vrx_max(ReadSchedule::linear, 10, 0.01, arrivals) >= 10);
}

TEST_CASE("a delay that begins between two anchored seconds and stays is seen") {
  for (unsigned changed = 90; changed <= 160; ++changed) {
    std::vector<PacketArrival> arrivals;
    for (unsigned i = 0; i < 30'000; i += 3)
      arrivals.push_back({start + i * 100us + (i >= changed * 100 ? 2ms : 0ms), i / 100, i % 100});
    const double vrx = vrx_max(ReadSchedule::linear, 100, 0.01, arrivals);
    CHECK(vrx >= 18);  // a clock rate explains some of it
    CHECK(vrx <= 20);
  }
}

TEST_CASE("no packets need no buffer") { CHECK(vrx_max(ReadSchedule::gapped, 10, 0.04, {}) == 0); }
