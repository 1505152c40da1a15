#include "common/base/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace lw {
namespace {

Error cannot(const std::filesystem::path& file, int error, const std::string& mend) {
  return {file.string() + ": cannot be read: " + std::generic_category().message(error), mend};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file, std::size_t bytes_max, const std::string& mend) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot(file, errno, mend);
  std::string text;
  std::array<char, 65536> part;
  ssize_t got = 1;
  int error = 0;
  while (got > 0 && text.size() <= bytes_max) {
    do got = ::read(fd, part.data(), part.size());
    while (got < 0 && errno == EINTR);
    error = errno;
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(fd);
  if (got < 0) return cannot(file, error, mend);
  if (text.size() > bytes_max)
    return Error{file.string() + ": is larger than the " + std::to_string(bytes_max >> 10U) + " KiB it may have", mend};
  return Result<std::string>(boost::system::in_place_value, std::move(text));
}

}  // namespace lw
