#include "common/host/service_manager.h"

#include "common/base/environment.h"
#include "common/base/whole_number.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace lw {
namespace {

std::optional<std::int64_t> positive(const std::string& text) {
  const auto value = whole_number<std::int64_t>(text);
  return value && *value > 0 ? value : std::nullopt;
}

}  // namespace

ServiceManager::ServiceManager() : socket_(environment_variable("NOTIFY_SOCKET")) {
  if (socket_.empty() || (socket_[0] != '/' && socket_[0] != '@') || socket_.size() >= sizeof(sockaddr_un::sun_path))
    return;
  fd_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto pid = environment_variable("WATCHDOG_PID");
  const auto microseconds = positive(environment_variable("WATCHDOG_USEC"));
  if (microseconds && (pid.empty() || positive(pid) == getpid())) patience_ = std::chrono::microseconds{*microseconds};
}

ServiceManager::~ServiceManager() {
  if (fd_ >= 0) close(fd_);
}

// A manager that does not read must not block the program.
void ServiceManager::tell(std::string_view state) const {
  if (fd_ < 0) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // an abstract socket
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  sendto(fd_, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&address),
         length);
}

}  // namespace lw
