#include "common/host/watchdog.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

using namespace lw;

namespace {

// systemd's end, at the path that programs get.
class Listener {
public:
  explicit Listener(const std::string& patience_us) {
    path_ = (std::filesystem::temp_directory_path() / ("notify-" + std::to_string(getpid()))).string();
    unlink(path_.c_str());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size());
    fd_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    REQUIRE(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
    setenv("NOTIFY_SOCKET", path_.c_str(), 1);
    setenv("WATCHDOG_USEC", patience_us.c_str(), 1);
  }
  ~Listener() {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
    close(fd_);
    unlink(path_.c_str());
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] std::string heard() const {
    std::array<char, 256> text;
    const auto got = recv(fd_, text.data(), text.size(), 0);
    return got < 0 ? "" : std::string(text.data(), static_cast<std::size_t>(got));
  }

private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace

TEST_CASE("the service manager receives the messages") {
  const Listener listener("1000000");
  const ServiceManager manager;
  CHECK((manager.patience() == Nanoseconds{std::chrono::seconds{1}}));
  manager.tell("READY=1");
  CHECK(listener.heard() == "READY=1");
  CHECK(listener.heard().empty());
}

TEST_CASE("a watchdog's environment that is for another process or invalid is ignored") {
  SECTION("of another process") {
    const Listener listener("1000000");
    setenv("WATCHDOG_PID", "1", 1);
    CHECK_FALSE(ServiceManager().patience().has_value());
  }
  SECTION("no number") {
    for (const char* text : {"", "0", "-5", "ten", "10s", "99999999999999999999999"}) {
      const Listener listener(text);
      CHECK_FALSE(ServiceManager().patience().has_value());
    }
  }
  SECTION("no manager") {
    const ServiceManager manager;
    CHECK_FALSE(manager.patience().has_value());
    manager.tell("READY=1");
  }
}

TEST_CASE("the watchdog is fed while every thread takes its turns") {
  const Listener listener("1000000");
  const ServiceManager manager;
  std::vector<std::uint64_t> turns{1, 1};
  Watchdog watchdog(manager, [&] { return turns; });
  LocalTime now{};
  const auto later = [&] { return now += std::chrono::milliseconds{300}; };
  watchdog.look(later());
  CHECK(listener.heard() == "WATCHDOG=1");
  turns = {2, 2};
  watchdog.look(now + std::chrono::milliseconds{1});
  CHECK(listener.heard().empty());  // not that often
  watchdog.look(later());
  CHECK(listener.heard() == "WATCHDOG=1");
  turns = {3, 2};  // one stalls
  watchdog.look(later());
  watchdog.look(later());
  CHECK(listener.heard().empty());
  turns = {3, 3};
  watchdog.look(later());
  CHECK(listener.heard() == "WATCHDOG=1");
}
