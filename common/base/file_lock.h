// A lock between all programs and threads that change a file: hold it from before reading the file until after writing
// it, so that no change is lost.
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <filesystem>
#include <utility>

namespace lw {

class FileLock {
public:
  // Locks FILE.lock beside the file, which is never removed: a file that is replaced by rename cannot be locked itself.
  // The kernel releases the lock when its holder ends, however that happens. Waits for at most `patience`.
  static Result<FileLock> take(const std::filesystem::path& file,
                               std::chrono::milliseconds patience = std::chrono::seconds{10});
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileLock();

private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace lw
