// The clocks of an agent's host, for agents that measure how long their steps take. Tests and simulations have their
// own hosts.
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
  // As in wall_clock.h: whether the wall's clock is known, and how often it was set.
  [[nodiscard]] virtual bool wall_clock_known() const = 0;
  [[nodiscard]] virtual std::uint32_t wall_clock_steps() const = 0;
  // CPU time used by the calling thread, user and system.
  [[nodiscard]] virtual double thread_cpu_seconds() const = 0;
};

// The host on which this program runs.
class OwnHostClock final : public HostClock {
public:
  [[nodiscard]] Moment now() const override { return Moment::now(); }
  [[nodiscard]] bool wall_clock_known() const override { return lw::wall_clock_known(); }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return lw::wall_clock_steps(); }
  [[nodiscard]] double thread_cpu_seconds() const override { return lw::thread_cpu_seconds(); }
};

}  // namespace lw
