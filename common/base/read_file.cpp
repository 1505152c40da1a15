#include "common/base/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lw {

Result<std::string> read_file(const std::filesystem::path& file) {
  const auto failed = [&](int error) {
    return Error{"cannot read " + file.string() + ": " + std::strerror(error), ""};
  };
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failed(errno);
  std::string text;
  std::array<char, 65536> part;
  for (;;) {
    const auto got = read(fd, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    const int error = errno;
    if (got <= 0) close(fd);
    if (got < 0) return failed(error);
    if (got == 0) return Result<std::string>(boost::system::in_place_value, std::move(text));
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

std::string text_of(const std::filesystem::path& file) {
  auto text = read_file(file);
  return text ? std::move(*text) : std::string{};
}

}  // namespace lw
