#include "probe/impair/wandering_delay.h"

#include <algorithm>
#include <cmath>

namespace lw {

double WanderingDelay::at(LocalTime now, const JitterLaw& law, std::mt19937_64& random) {
  if (law_ != law) {
    law_ = law;
    begin(now, law.draw(random), random);
  }
  if (now - until_ > forgets_after * law.jitter()) forget(now, random);
  while (now >= until_) turn(random);
  const double elapsed = static_cast<double>(std::max(now - since_, Nanoseconds{0}).count());
  return from_ + (to_ - from_) * elapsed / static_cast<double>((until_ - since_).count());
}

void WanderingDelay::forget(LocalTime now, std::mt19937_64& random) {
  const double value = law_->draw(random);
  if (static_cast<double>((now - until_).count()) >= to_ - value) begin(now, value, random);
}

void WanderingDelay::begin(LocalTime now, double value, std::mt19937_64& random) {
  up_ = std::bernoulli_distribution()(random);
  to_ = value;
  until_ = now;
  turn(random);
}

void WanderingDelay::turn(std::mt19937_64& random) {
  up_ = !up_;
  walk_to(up_ ? law_->turn_above(to_, random) : law_->turn_below(to_, random));
}

void WanderingDelay::walk_to(double end) {
  from_ = to_;
  to_ = end;
  since_ = until_;
  // Rounded up: never steeper than `slope`, and a leg takes some time.
  const double length = std::max(1.0, std::ceil(std::abs(to_ - from_) / slope));
  until_ = since_ + Nanoseconds{static_cast<std::int64_t>(length)};
}

}  // namespace lw
