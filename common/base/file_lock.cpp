#include "common/base/file_lock.h"

#include "common/base/cannot_write.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::milliseconds look_again{2};

}  // namespace

Result<FileLock> FileLock::take(const std::filesystem::path& file, std::chrono::milliseconds patience) {
  const auto name = file.string() + ".lock";
  const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (fd < 0) return cannot_write(name, "name another folder, or correct its owner and mode");
  FileLock lock(fd);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return Error{"cannot lock " + name + ": " + std::strerror(errno), "use a file system that has locks"};
    if (std::chrono::steady_clock::now() >= until)
      return Error{"another program has been changing " + file.string() + " for too long",
                   "find it with `lsof " + name + "` and end it"};
    std::this_thread::sleep_for(look_again);
  }
  return lock;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace lw
