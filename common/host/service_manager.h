// What a program tells the service manager that started it (systemd, Type=notify): that it is ready, that it ends, and
// that it is alive (sd_notify(3)). Without one nothing is sent. Any thread.
#pragma once

#include "common/base/units.h"

#include <optional>
#include <string>
#include <string_view>

namespace lw {

class ServiceManager {
public:
  ServiceManager();  // as the environment has it: NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  // "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=..."
  void tell(std::string_view state) const;
  // It ends and restarts the program that says nothing for so long; nothing where it does not.
  [[nodiscard]] std::optional<Nanoseconds> patience() const { return patience_; }

private:
  int fd_ = -1;
  std::string socket_;
  std::optional<Nanoseconds> patience_;
};

}  // namespace lw
