// The law of CardLine: the bound contains the error of every converted stamp, for any two clocks whose relative rate
// stays within the assumed range between two readings, whatever it does from one to the next.
#include "common/clock/card_line.h"

#include "tests/support/law_rounds.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

// The system time as a function of the card's, in straight pieces; both from 0 on.
class Truth {
public:
  // From the end of what there is, by the card's clock.
  void add(double seconds, double drift) { pieces_.push_back({end_at_ += seconds, drift}); }
  [[nodiscard]] double ahead_ns(double at_s) const {
    double ahead = start_ns, from = 0;
    for (const auto& [until, drift] : pieces_) {
      ahead += (std::min(until, at_s) - from) * 1e9 * drift;
      if (until >= at_s) break;
      from = until;
    }
    return ahead;
  }
  [[nodiscard]] double end_s() const { return end_at_; }

private:
  static constexpr double start_ns = 37e9;
  struct Piece {
    double until, drift;
  };
  std::vector<Piece> pieces_;
  double end_at_ = 0;
};

constexpr double epoch_s = 1'700'000'000;

// As Phc::read() sees the clocks at this moment of the card's: by a window that lies anywhere around it.
PhcReading reading_at(const Truth& truth, double at_s, double window_ns, double place) {
  const auto window = Nanoseconds{std::llround(window_ns)};
  const double seen = truth.ahead_ns(at_s) + (place - 0.5) * static_cast<double>(window.count());
  return {Nanoseconds{std::llround(seen)}, window,
          Nanoseconds{static_cast<std::int64_t>(epoch_s) * 1'000'000'000} + Nanoseconds{std::llround(at_s * 1e9)}};
}

double error_ns(const CardLine& line, const Truth& truth, double at_s) {
  const auto stamp =
      Nanoseconds{static_cast<std::int64_t>(epoch_s) * 1'000'000'000} + Nanoseconds{std::llround(at_s * 1e9)};
  const auto converted = line.system_time(stamp).time_since_epoch();
  return std::abs(static_cast<double>((stamp - converted).count()) - truth.ahead_ns(at_s));
}

}  // namespace

TEST_CASE("the bound of a card's converted times contains the truth") {
  const auto seed = GENERATE(range(1U, 1 + law_rounds(300)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto between = [&](double least, double most) { return std::uniform_real_distribution(least, most)(random); };
  Truth truth;
  CardLineKeeper keeper;
  const double window_most = std::pow(10.0, between(1.5, 5));
  double rate = between(-300e-6, 300e-6);
  double before = 0;
  keeper.take(reading_at(truth, 0, window_most, between(0, 1)));
  for (int i = 0; i < 200; ++i) {
    if (between(0, 1) < 0.1) rate = between(-300e-6, 300e-6);  // a service corrects one of the clocks
    const auto old = keeper.line();
    // The range is used up: a rate at one of its ends, then at the other.
    for (int piece = static_cast<int>(between(2, 5)); piece > 0; --piece)
      truth.add(between(0.01, 0.04), rate + (between(0, 1) < 0.5 ? -0.5 : 0.5) * CardLineKeeper::range);
    const double at = truth.end_s();
    const double edge = between(0, 1) < 0.3 ? std::round(between(0, 1)) : between(0, 1);
    keeper.take(reading_at(truth, at, between(0.1, 1) * window_most, edge));
    double worst = 0;
    for (int stamp = 0; stamp < 20; ++stamp) {
      const double when = between(before, at);
      if (old.known) worst = std::max(worst, error_ns(old, truth, when));
      worst = std::max(worst, error_ns(keeper.line(), truth, when));  // a packet stamped before the newest reading
    }
    CHECK(worst <= static_cast<double>(keeper.line().error.count()));
    before = at;
  }
  CHECK(keeper.steps() == 0);
  // It says something: what a change of the rate does in 0.16 s, and windows that make the line steeper by their share
  // of the shortest time between two readings.
  CHECK(static_cast<double>(keeper.line().error.count()) < (0.16 / 0.02 + 2) * window_most + 0.16e9 * 650e-6);
}

TEST_CASE("between clocks with constant rates and short windows, converted times are exact to nanoseconds") {
  Truth truth;
  truth.add(10, 123e-6);
  CardLineKeeper keeper;
  for (int i = 0; i <= 100; ++i) keeper.take(reading_at(truth, 0.05 * i, 0, 0.5));
  CHECK(error_ns(keeper.line(), truth, 5.04) <= 3);
  CHECK(keeper.line().error <= 200ns);
  CHECK(keeper.line().drift == Approx(123e-6).epsilon(1e-3));
}

TEST_CASE("a clock that is set is noticed, bounded, and followed from the next reading on") {
  const auto step = GENERATE(Nanoseconds(-2h), Nanoseconds(-1ms), Nanoseconds(1ms), Nanoseconds(5s));
  const bool of_card = GENERATE(false, true);  // or the system clock, by the opposite
  CAPTURE(step.count(), of_card);
  CardLineKeeper keeper;
  Nanoseconds ahead = 37s, at = 1'700'000'000s;
  for (int i = 0; i < 10; ++i, at += 50ms, ahead += 5us) keeper.take({ahead, 1us, at});  // 100 ppm
  const auto before = keeper.line();
  CHECK(before.error < 2us);
  ahead += step;
  if (of_card) at += step;
  keeper.take({ahead, 1us, at});
  CHECK(keeper.steps() == 1);
  CHECK(keeper.line().error >= std::chrono::abs(step) - 2us - std::chrono::abs(step) / 9'999);
  // 10 ms after the reading: with the drift from before.
  const auto stamp = at + 10ms;
  const auto expected = stamp - ahead - 1us;
  CHECK(std::chrono::abs(keeper.line().system_time(stamp).time_since_epoch() - expected) < 100ns);
}

TEST_CASE("a line needs two readings in order") {
  CardLineKeeper keeper;
  CHECK_FALSE(keeper.line().known);
  keeper.take({37s, 1us, 100s});
  CHECK_FALSE(keeper.line().known);
  keeper.take({37s, 1us, 100s});
  CHECK_FALSE(keeper.line().known);
  keeper.take({37s, 1us, 99s});  // the card's clock was set back
  CHECK_FALSE(keeper.line().known);
  keeper.take({37s + 1us, 1us, 99s + 50ms});
  CHECK(keeper.line().known);
  // A card whose clock has nothing to do with time.
  CardLineKeeper wild;
  for (int i = 0; i < 10; ++i) wild.take({i * 40ms, 1us, i * 50ms + 1s});
  CHECK_FALSE(wild.line().known);
}
