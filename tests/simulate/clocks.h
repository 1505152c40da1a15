// The clocks of a simulated host. Its oscillator is off by some parts per million: with it runs the counter
// (CLOCK_MONOTONIC_RAW). The monotonic clock and the system clock run at a rate that a time service may change, and the
// system clock can be set. The wall's clock is the system clock, or what its keeper has set ([clock] source = "wall").
#pragma once

#include "common/base/moment.h"
#include "common/clock/clock_keeping.h"
#include "common/clock/kept_clock.h"
#include "tests/support/network.h"
#include "tests/support/timeline.h"

namespace lw::simulate {

using truth::Random;
using truth::Timeline;

class Clocks final : public ClockKeeping {
public:
  Clocks(const Timeline& timeline, Random& random) : timeline_(timeline), random_(random) {}

  // `later`: than the timeline, for a thread that is busy for as long.
  [[nodiscard]] Moment now(Nanoseconds later = Nanoseconds{0}) const;
  [[nodiscard]] RawTime counter() const override { return counter_at(elapsed()); }
  // Now and then empty: the thread was interrupted.
  [[nodiscard]] std::optional<ClockReading> read() const override;
  void expect() override { kept_.expect(); }
  void keep(const WallClockLine& line) override { kept_.keep(line); }
  void follow_system() override { kept_.follow_system(); }
  [[nodiscard]] const KeptClock& kept() const { return kept_; }

  // The system clock at a time of the timeline that is not long past, for the kernel's arrival times.
  [[nodiscard]] SystemTime system_at(WallTime time) const;
  // How long it takes on the timeline until the monotonic clock has advanced by this time.
  [[nodiscard]] Nanoseconds on_timeline(Nanoseconds local) const {
    return local - Nanoseconds{static_cast<std::int64_t>(static_cast<double>(local.count()) * rate_)};
  }

  // By this share the counter is too fast. Call before it is read.
  void set_oscillator(double drift) { oscillator_ = rate_ = drift; }
  [[nodiscard]] double oscillator() const { return oscillator_; }
  // By this share the monotonic and the system clock are too fast from now on.
  void set_rate(double rate);
  void step_system(Nanoseconds by);
  // How far the system clock is ahead of the timeline.
  [[nodiscard]] Nanoseconds system_error() const;

private:
  [[nodiscard]] Nanoseconds elapsed() const { return timeline_.now().local.time_since_epoch(); }
  [[nodiscard]] RawTime counter_at(Nanoseconds elapsed) const;
  [[nodiscard]] Nanoseconds local_at(Nanoseconds elapsed) const {
    const auto since = elapsed - changed_;
    return local_ + since + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(since.count()) * rate_)};
  }

  const Timeline& timeline_;
  Random& random_;
  double oscillator_ = 0;
  double rate_ = 0;
  Nanoseconds changed_{0};  // when the rate changed, on the timeline
  Nanoseconds local_{0};    // the monotonic clock at that time
  Nanoseconds ahead_{timeline_.now().wall.time_since_epoch() - timeline_.now().local.time_since_epoch()};
  Nanoseconds stepped_{0};  // when the system clock was set last, and by how much
  Nanoseconds step_{0};
  KeptClock kept_;
};

}  // namespace lw::simulate
