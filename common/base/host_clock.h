// Where an agent reads the time again that a step takes: a host's two clocks. A test or a simulation has hosts of its
// own.
#pragma once

#include "common/base/moment.h"

namespace lw {

class HostClock {
public:
  HostClock() = default;
  HostClock(const HostClock&) = delete;
  HostClock& operator=(const HostClock&) = delete;
  virtual ~HostClock() = default;

  [[nodiscard]] virtual Moment now() const = 0;
};

// The one that this program runs on.
class OwnHostClock final : public HostClock {
public:
  [[nodiscard]] Moment now() const override { return Moment::now(); }
};

}  // namespace lw
