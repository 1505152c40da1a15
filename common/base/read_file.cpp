#include "common/base/read_file.h"

#include "common/base/descriptor.h"

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
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!open) return cannot(file, errno, mend);
  return read_open_file(open.get(), file, bytes_max, mend);
}

Result<std::string> read_open_file(int fd, const std::filesystem::path& shown, std::size_t bytes_max,
                                   const std::string& mend) {
  std::string text;
  std::array<char, 65536> part;
  ssize_t got = 1;
  while (got > 0 && text.size() <= bytes_max) {
    do got = ::read(fd, part.data(), part.size());
    while (got < 0 && errno == EINTR);
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
  }
  if (got < 0) return cannot(shown, errno, mend);
  if (text.size() > bytes_max)
    return Error{shown.string() + ": is larger than the " + std::to_string(bytes_max >> 10U) + " KiB it may have",
                 mend};
  return Result<std::string>(boost::system::in_place_value, std::move(text));
}

}  // namespace lw
