// One at a time among all programs, and threads, that change a file: who reads it to write it anew holds the lock from
// before the reading until after the writing, so that no change is lost.
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <filesystem>
#include <utility>

namespace lw {

class FileLock {
public:
  // Locks FILE.lock beside the file, which stays: a file that is replaced by rename cannot be locked itself. The kernel
  // frees the lock when its holder ends, however that ends. Waits for at most `patience`.
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
