#include "common/base/write_all.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>
#include <string>

namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace

TEST_CASE("bytes are written at the file's position, or at an offset, which does not move it") {
  std::array name{'/', 't', 'm', 'p', '/', 'l', 'w', 'X', 'X', 'X', 'X', 'X', 'X', '\0'};
  const int fd = mkstemp(name.data());
  REQUIRE(fd >= 0);
  unlink(name.data());
  CHECK(lw::write_all(fd, bytes_of("one")) == 0);
  CHECK(lw::write_all(fd, bytes_of("four"), 6) == 0);
  CHECK(lw::write_all(fd, bytes_of("two")) == 0);
  CHECK(lw::write_all(fd, {}) == 0);
  std::string text(16, '\0');
  text.resize(static_cast<std::size_t>(pread(fd, text.data(), text.size(), 0)));
  CHECK(text == "onetwofour");
  close(fd);
}

TEST_CASE("a failed write is reported as the system's error") {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  CHECK(lw::write_all(full, bytes_of("x")) == ENOSPC);
  close(full);
  CHECK(lw::write_all(-1, bytes_of("x")) == EBADF);
}
