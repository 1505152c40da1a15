// Notifies the service manager that started the program (systemd, Type=notify): ready, stopping, and alive
// (sd_notify(3)). Without a service manager nothing is sent. Any thread.
#pragma once

#include "common/base/units.h"

#include <optional>
#include <string>
#include <string_view>

namespace lw {

class ServiceManager {
public:
  ServiceManager();  // from the environment: NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  // "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=..."
  void tell(std::string_view state) const;
  // The manager restarts a program that stays silent for this long; empty: it does not.
  [[nodiscard]] std::optional<Nanoseconds> patience() const { return patience_; }

private:
  int fd_ = -1;
  std::string socket_;
  std::optional<Nanoseconds> patience_;
};

}  // namespace lw
