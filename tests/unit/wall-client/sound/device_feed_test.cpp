// The law of sound at a device: what is heard at a time is what has this presentation time, whatever clock the device
// has and in whatever portions it asks.
#include "wall-client/sound/device_feed.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace lw {
namespace {

using namespace std::chrono_literals;

const WallTime begin{std::chrono::seconds{1'700'000'000}};
constexpr double tone_hz = 100;

// A tone whose phase says at which presentation time it is to be heard.
double tone_at(WallTime time) {
  const auto ns = (time - begin).count();
  return 0.5 * std::sin(2 * std::numbers::pi * tone_hz * static_cast<double>(ns) * 1e-9);
}

struct Sound {
  unsigned channels = 2;
  std::int64_t moved = 0;  // samples by which the presentation time is behind the sample's own
  std::vector<std::int32_t> samples = {};

  void put(DeviceFeed& feed, std::int64_t number) {
    const auto first = number * 48;
    const auto pts = time_of_sample(first + moved);
    samples.resize(48 * std::size_t{channels});
    for (unsigned i = 0; i < 48; ++i)
      for (unsigned channel = 0; channel < channels; ++channel)
        samples[i * channels + channel] =
            static_cast<std::int32_t>(tone_at(time_of_sample(first + moved + i)) * 2147483647.0 / (1 + channel));
    feed.put({first, channels, samples, pts, pts, false});
  }
};

// A device that asks for portions in its own time, and says when they are heard with some jitter.
struct Device {
  double rate = 48'000;  // by the wall's clock
  double heard_s = 0;    // of the next frame, since `begin`
  Nanoseconds latency{20ms};
  double jitter_s = 0;

  [[nodiscard]] WallTime time_of(double seconds) const {
    return begin + Nanoseconds{static_cast<std::int64_t>(seconds * 1e9)};
  }
  [[nodiscard]] WallTime asks_at() const { return time_of(heard_s) - latency; }
};

struct Heard {
  double worst = 0;  // difference to the tone, of a full scale of 0.5
  std::size_t silent = 0, frames = 0;
};

// Plays until then; parts come `lead` before their presentation time.
Heard play(DeviceFeed& feed, Sound& sound, Device& device, std::int64_t& next, WallTime end, Nanoseconds lead,
           std::mt19937& random, WallTime judged_from) {
  Heard heard;
  std::vector<float> portion;
  while (device.asks_at() < end) {
    while (time_of_sample(next * 48 + sound.moved) - lead <= device.asks_at()) sound.put(feed, next++);
    const std::size_t frames = 64 + random() % 900;
    portion.assign(frames * feed.channels(), 9.0F);
    const double off = device.jitter_s * (static_cast<double>(random() % 2001) / 1000 - 1);
    feed.fill(portion, device.time_of(device.heard_s + off));
    for (std::size_t i = 0; i < frames; ++i) {
      const auto time = device.time_of(device.heard_s + static_cast<double>(i) / device.rate);
      if (time < judged_from) continue;
      const auto sample = static_cast<double>(portion[i * feed.channels()]);
      heard.worst = std::max(heard.worst, std::abs(sample - tone_at(time)));
      heard.silent += std::abs(sample) < 1e-6 && std::abs(tone_at(time)) > 0.35 ? 1 : 0;
      ++heard.frames;
    }
    device.heard_s += static_cast<double>(frames) / device.rate;
  }
  return heard;
}

// Of the tone, by this time.
double difference_of(Nanoseconds time) {
  return 0.5 * 2 * std::numbers::pi * tone_hz * static_cast<double>(time.count()) * 1e-9;
}

TEST_CASE("what is heard is what is due, on devices with clocks of their own") {
  std::mt19937 random(5);
  for (const double ppm : {0.0, 80.0, -80.0, 300.0, -300.0}) {
    DeviceFeed feed(2, 48'000);
    Sound sound;
    Device device{.rate = 48'000 * (1 + ppm * 1e-6), .heard_s = 0.05, .jitter_s = 0.0005};
    auto next = sample_from(begin) / 48;
    const auto heard = play(feed, sound, device, next, begin + 20s, 60ms, random, begin + 500ms);
    INFO(ppm << " ppm: " << heard.worst);
    CHECK(heard.worst < difference_of(1ms));
    CHECK(heard.silent == 0);
    SoundNodeStats figures;
    feed.put_figures(figures);
    CHECK(figures.device_steps == 1);
    CHECK(figures.device_gaps == 0);
    REQUIRE(figures.device_difference.has_value());
    CHECK(std::abs(figures.device_difference->count()) < 1'000'000);
  }
}

TEST_CASE("another rate of the device changes nothing that is heard") {
  std::mt19937 random(6);
  for (const unsigned rate : {44'100U, 96'000U}) {
    DeviceFeed feed(2, rate);
    Sound sound;
    Device device{.rate = rate * 1.00005, .heard_s = 0.05};
    auto next = sample_from(begin) / 48;
    const auto heard = play(feed, sound, device, next, begin + 5s, 60ms, random, begin + 500ms);
    CHECK(heard.worst < difference_of(1ms));
    CHECK(heard.silent == 0);
  }
}

TEST_CASE("after a seek, and after a time without sound, it is right at once") {
  std::mt19937 random(7);
  DeviceFeed feed(2, 48'000);
  Sound sound;
  Device device{.heard_s = 0.05};
  auto next = sample_from(begin) / 48;
  auto judged = begin + 200ms;
  for (int round = 1; round <= 12; ++round) {
    const auto end = begin + round * 1s;
    const auto heard = play(feed, sound, device, next, end, 60ms, random, judged);
    INFO("round " << round << ": " << heard.worst);
    CHECK(heard.worst < difference_of(1ms));
    CHECK(heard.silent == 0);
    // The sound that follows has other numbers for the same times, as after a seek; or there is none for a while.
    if (round % 3 == 0) {
      device.heard_s += 0.7;
      next = sample_from(device.asks_at() - 60ms) / 48;
    } else {
      sound.moved += round % 2 == 0 ? 48 * 100 : -48 * 200;
      next = (sample_from(device.asks_at()) - sound.moved) / 48;
    }
    judged = device.time_of(device.heard_s) + 100ms;
  }
}

TEST_CASE("what comes too late for the device is silence, and what comes in time is heard again") {
  std::mt19937 random(8);
  DeviceFeed feed(2, 48'000);
  Sound sound;
  Device device{.heard_s = 0.05, .latency = 80ms};
  auto next = sample_from(begin) / 48;
  const auto late = play(feed, sound, device, next, begin + 2s, 40ms, random, begin + 500ms);
  CHECK(late.silent > late.frames / 2);
  device.latency = 20ms;
  const auto heard = play(feed, sound, device, next, begin + 4s, 60ms, random, begin + 2500ms);
  CHECK(heard.silent == 0);
  CHECK(heard.worst < difference_of(1ms));
}

// What a device with so many channels plays of a constant level in one of the sound's channels.
std::vector<float> levels_of(unsigned device, unsigned channels, unsigned loud) {
  DeviceFeed feed(device, 48'000);
  const auto first = sample_from(begin);
  std::vector<std::int32_t> samples(48 * std::size_t{channels});
  for (std::size_t i = loud; i < samples.size(); i += channels) samples[i] = 1 << 30;
  for (int i = 0; i < 100; ++i)
    feed.put({first + 48 * i, channels, samples, time_of_sample(first + 48 * i), {}, false});
  std::vector<float> heard(std::size_t{device} * 2400);
  feed.fill(heard, time_of_sample(first));
  return {heard.end() - device, heard.end()};
}

TEST_CASE("each channel is heard where it belongs, and nothing clips") {
  const auto near = [](const std::vector<float>& heard, const std::vector<double>& wanted) {
    return std::ranges::equal(heard, wanted, [](double a, double b) { return std::abs(a - b) < 2e-3; });
  };
  CHECK(near(levels_of(2, 1, 0), {0.5, 0.5}));  // one on both
  CHECK(near(levels_of(2, 2, 0), {0.5, 0}));
  CHECK(near(levels_of(2, 2, 1), {0, 0.5}));
  CHECK(near(levels_of(6, 6, 4), {0, 0, 0, 0, 0.5, 0}));
  CHECK(near(levels_of(4, 6, 5), {0, 0, 0, 0}));
  const double whole = 1 + std::sqrt(0.5) + std::sqrt(0.5);  // left, centre, rear left
  CHECK(near(levels_of(2, 6, 0), {0.5 / whole, 0}));
  CHECK(near(levels_of(2, 6, 2), {0.5 * std::sqrt(0.5) / whole, 0.5 * std::sqrt(0.5) / whole}));
  CHECK(near(levels_of(2, 6, 3), {0, 0}));
  CHECK(near(levels_of(2, 6, 5), {0, 0.5 * std::sqrt(0.5) / whole}));
  CHECK(near(levels_of(2, 4, 2), {0.5 * std::sqrt(0.5) / (1 + std::sqrt(0.5)), 0}));
  CHECK(near(levels_of(1, 2, 0), {0.5}));
}

TEST_CASE("a device that takes nothing costs no memory, and is counted") {
  DeviceFeed feed(2, 48'000);
  Sound sound;
  const auto first = sample_from(begin) / 48;
  for (int i = 0; i < 5000; ++i) sound.put(feed, first + i);
  CHECK(feed.refused() >= 3000);
}

}  // namespace
}  // namespace lw
