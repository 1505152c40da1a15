// Reports to the service manager that a program is alive as long as all of its threads are: each counts its turns, and
// a single stalled thread stops the reports. The manager then restarts the program.
#pragma once

#include "common/host/service_manager.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lw {

class Watchdog {
public:
  // `turns`: counts of every thread that must not stall; they only grow.
  Watchdog(const ServiceManager& manager, std::function<std::vector<std::uint64_t>()> turns)
      : manager_(manager), turns_(std::move(turns)) {}

  // Call a few times within the manager's patience, on one thread, which is thereby watched too.
  void look(LocalTime now) {
    if (!manager_.patience() || (told_ && now - *told_ < *manager_.patience() / 4)) return;
    auto turns = turns_();
    if (told_)
      for (std::size_t i = 0; i < turns.size(); ++i)
        if (turns[i] == before_[i]) return;
    manager_.tell("WATCHDOG=1");
    before_ = std::move(turns);
    told_ = now;
  }

private:
  const ServiceManager& manager_;
  std::function<std::vector<std::uint64_t>()> turns_;
  std::vector<std::uint64_t> before_;  // at the last report
  std::optional<LocalTime> told_;
};

}  // namespace lw
