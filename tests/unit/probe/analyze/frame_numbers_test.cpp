#include "probe/analyze/frame_numbers.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace lw {
namespace {

std::vector<std::int64_t> timestamps_of(const std::vector<std::int64_t>& numbers, double period, double first = 0) {
  std::vector<std::int64_t> timestamps;
  for (const auto number : numbers)
    timestamps.push_back(static_cast<std::int64_t>(std::floor(first + static_cast<double>(number) * period)));
  return timestamps;
}

TEST_CASE("frames have their numbers and period, at any rate, with any frames lost") {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> rate(1, 240), begin(0, 1e9), share(0, 1);
  for (unsigned run = 0; run < 500; ++run) {
    const double period = run % 3 == 0 ? 90'000 * 1001 / (1000 * std::round(rate(random))) : 90'000 / rate(random);
    std::vector<std::int64_t> numbers{0};
    const double lost = share(random) / 4;  // so that most frames directly follow the previous one
    while (numbers.size() < 50) {
      auto next = numbers.back() + 1;
      while (share(random) < lost) ++next;
      numbers.push_back(next);
    }
    const auto timestamps = timestamps_of(numbers, period, begin(random));
    const auto frames = number_frames(timestamps).value();
    CHECK(frames.numbers == numbers);
    // Each timestamp is at most a tick off.
    CHECK(std::abs(frames.period_ticks - period) < 1.5 / 50);
  }
}

TEST_CASE("the period is the more exact the longer the stream") {
  const double period = 90'000 * 1001 / 60'000.0;
  for (const std::int64_t count : {10, 100, 1000, 100'000}) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(i);
    CHECK(std::abs(number_frames(timestamps_of(numbers, period))->period_ticks - period) <
          3 / static_cast<double>(count * count));
  }
}

TEST_CASE("a long gap is counted by the regressed period") {
  const double period = 1501.5;
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < 20; ++i) numbers.push_back(i < 10 ? i : i + 700);
  CHECK(number_frames(timestamps_of(numbers, period))->numbers == numbers);
}

TEST_CASE("a jump of the timestamps does not change the period") {
  std::vector<std::int64_t> timestamps;
  for (std::int64_t i = 0; i < 100; ++i) timestamps.push_back(i * 3600 + (i < 50 ? 0 : 1800));
  CHECK(number_frames(timestamps)->period_ticks == Approx(3600).epsilon(1e-9));
}

TEST_CASE("one frame has no period, and neither have steps that follow none") {
  CHECK_FALSE(number_frames({}).has_value());
  CHECK_FALSE(number_frames(std::vector<std::int64_t>{7}).has_value());
  CHECK_FALSE(number_frames(std::vector<std::int64_t>{0, 100, 150, 280, 300, 470, 480, 600}).has_value());
  CHECK(number_frames(std::vector<std::int64_t>{0, 3600})->period_ticks == 3600);
}

}  // namespace
}  // namespace lw
