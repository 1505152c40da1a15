#include "common/control/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t bytes_max = std::size_t{1} << 20U;
constexpr const char* mend = "name another folder with --state, or correct its owner and mode";

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(fd) == 0;
}

}  // namespace

Result<void> write_private_file(const std::filesystem::path& file, std::string_view text) {
  auto part = file.string() + ".XXXXXX";
  const int fd = ::mkostemp(part.data(), O_CLOEXEC);  // with mode 0600
  bool written = fd >= 0 && write_all(fd, text);
  int error = errno;
  if (fd >= 0) ::close(fd);
  if (written && ::rename(part.c_str(), file.c_str()) != 0) {
    error = errno;
    written = false;
  }
  if (written) return {};
  if (fd >= 0) ::unlink(part.c_str());
  return Error{"cannot write " + file.string() + ": " + std::strerror(error), mend};
}

Result<std::optional<std::string>> read_private_file(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return std::optional<std::string>();
  std::string text;
  std::array<char, 16384> chunk;
  ssize_t got = fd < 0 ? -1 : 1;
  while (got > 0 && text.size() <= bytes_max)
    if (got = ::read(fd, chunk.data(), chunk.size()); got > 0) text.append(chunk.data(), static_cast<std::size_t>(got));
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (got < 0) return Error{"cannot read " + file.string() + ": " + std::strerror(error), mend};
  if (text.size() > bytes_max) return Error{file.string() + " is longer than 1 MiB", "it is not what it should be"};
  return std::optional(std::move(text));
}

}  // namespace lw
