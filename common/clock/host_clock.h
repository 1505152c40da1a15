// The clocks of the host that an agent is on, where it reads the time that a step takes. A test or a simulation
// has hosts of its own.
#pragma once

#include "common/base/moment.h"
#include "common/clock/wall_clock.h"
#include "common/concurrency/pinned_thread.h"

#include <cstdint>

namespace lw {

class HostClock {
public:
  HostClock() = default;
  HostClock(const HostClock&) = delete;
  HostClock& operator=(const HostClock&) = delete;
  virtual ~HostClock() = default;

  [[nodiscard]] virtual Moment now() const = 0;
  // As in wall_clock.h: whether the wall's clock is known yet, and how often it was set.
  [[nodiscard]] virtual bool wall_clock_known() const = 0;
  [[nodiscard]] virtual std::uint32_t wall_clock_steps() const = 0;
  // CPU time the calling thread has used, user and system.
  [[nodiscard]] virtual double thread_cpu_seconds() const = 0;
};

// The one that this program runs on.
class OwnHostClock final : public HostClock {
public:
  [[nodiscard]] Moment now() const override { return Moment::now(); }
  [[nodiscard]] bool wall_clock_known() const override { return lw::wall_clock_known(); }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return lw::wall_clock_steps(); }
  [[nodiscard]] double thread_cpu_seconds() const override { return lw::thread_cpu_seconds(); }
};

}  // namespace lw
