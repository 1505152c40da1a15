#include "common/clock/card_line.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr Nanoseconds rounding{2};

Nanoseconds share_of(Nanoseconds time, double share) {
  return Nanoseconds{std::llround(static_cast<double>(time.count()) * share)};
}

}  // namespace

void CardLineKeeper::take(const PhcReading& reading) {
  if (!newest_) {
    newest_ = reading;
    return;
  }
  const auto passed = reading.at - newest_->at;
  if (passed == Nanoseconds{0}) return;
  const auto error_at = [](const PhcReading& one) { return one.window / 2 + rounding; };
  auto error = std::max(error_at(*newest_), error_at(reading));
  if (line_.known) {
    const auto expected = line_.ahead + share_of(passed, line_.drift);
    error = std::max(error, std::chrono::abs(expected - reading.ahead) + error_at(reading));
  }
  error += share_of(std::chrono::abs(passed), range / 4);
  const auto moved = reading.ahead - newest_->ahead;
  if (passed > Nanoseconds{0} &&
      std::chrono::abs(moved) <= share_of(passed, drift_max) + error_at(*newest_) + error_at(reading)) {
    line_.drift = static_cast<double>(moved.count()) / static_cast<double>(passed.count());
    line_.known = true;
  } else {
    ++steps_;
  }
  line_.at = reading.at;
  line_.ahead = reading.ahead;
  if (line_.known) line_.error = std::max(line_.error, error);
  newest_ = reading;
}

}  // namespace lw
