// Jitter that varies over time, so that packets have different delays and still keep their order. Its value X(t) is a
// stationary process: at any time it has the distribution of its JitterLaw, and it never falls faster than `slope`.
// Therefore t + X(t), the departure of a packet of time t, never decreases, whatever the packet rate.
//
// The law: X moves up or down at the speed `slope` and turns now and then. With the density f and its mode 0, a leg
// upwards from x passes y with probability f(max(y, 0)) / f(max(x, 0)); legs downwards are the mirror image. X begins
// with a draw from f and moves up or down with equal probability.
//
// Proof that f stays the density: let p(x) be the density of X being at x on the way up, q(x) on the way down, both
// f/2, and c the slope. Above the mode, the way up turns at the rate -c f'/f (the logarithmic derivative of the
// probability above), and the way down does not turn. Then
//   dp/dt = -c p' - (-c f'/f) p = -c f'/2 + c f'/2 = 0   and   dq/dt = c q' + (-c f'/f) p = c f'/2 - c f'/2 = 0.
// Below the mode it is the mirror image. At the end of a density that starts with a step (uniform, exponential,
// pareto), X turns: what comes down goes up again. The uniform law also turns at a constant rate both ways, which
// exchanges equally much between p and q; without, it would be a periodic triangle wave. This is the zig-zag process in
// one dimension: Bierkens, Fearnhead and Roberts, The Annals of Statistics 47(3), 2019, pages 1288 to 1320.
//
// One thread; no allocation.
#pragma once

#include "probe/impair/jitter_law.h"

#include <optional>

namespace lw {

class WanderingDelay {
public:
  // Seconds per second; with 1, all packets of a falling leg would leave at once. With one half, packets leave at twice
  // their rate while the delay falls, and at two thirds of it while it grows.
  static constexpr double slope = 0.5;
  // After a pause of this many jitters, X begins again with a new draw, if that keeps the order: the old value no
  // longer matters, and a pause of hours takes no time to compute. A draw is refused only if X would fall by more than
  // the length of the pause: in one of 10^8 pauses with pareto, practically never with the other laws.
  static constexpr int forgets_after = 1000;

  // In nanoseconds beyond the configured delay. Times must not decrease; one before the current leg counts as its
  // beginning. With another law, X begins again.
  double at(LocalTime now, const JitterLaw& law, std::mt19937_64& random);

private:
  void begin(LocalTime now, double value, std::mt19937_64& random);
  void forget(LocalTime now, std::mt19937_64& random);
  void turn(std::mt19937_64& random);
  void walk_to(double end);

  std::optional<JitterLaw> law_;
  bool up_ = false;
  double from_ = 0;  // where the current leg begins
  double to_ = 0;
  LocalTime since_{};
  LocalTime until_{};
};

}  // namespace lw
