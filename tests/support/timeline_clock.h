// The clock of a host on a test's timeline, without an offset. Does not measure CPU time.
#pragma once

#include "common/clock/host_clock.h"
#include "tests/support/timeline.h"

namespace lw::truth {

class TimelineClock final : public HostClock {
public:
  explicit TimelineClock(const Timeline& timeline) : timeline_(timeline) {}
  [[nodiscard]] Moment now() const override { return timeline_.now(); }
  [[nodiscard]] bool wall_clock_known() const override { return true; }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return 0; }
  [[nodiscard]] double thread_cpu_seconds() const override { return 0; }

private:
  const Timeline& timeline_;
};

}  // namespace lw::truth
