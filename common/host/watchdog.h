// Reports to the service manager that a program is alive while all of its threads are: each counts its turns, and one
// stalled thread stops the reports. The manager then ends the program and starts it again.
#pragma once

#include "common/host/service_manager.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lw {

class Watchdog {
public:
  // `turns`: of every thread that must not stall, ever growing.
  Watchdog(const ServiceManager& manager, std::function<std::vector<std::uint64_t>()> turns)
      : manager_(manager), turns_(std::move(turns)) {}

  // Call a few times within the manager's patience, on one thread, which is watched with that.
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
