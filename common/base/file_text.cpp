#include "common/base/file_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace lw {
namespace {

constexpr std::size_t step_bytes = std::size_t{64} << 10U;

Error cannot(const std::filesystem::path& file, int error, const std::string& mend) {
  return {file.string() + ": cannot be read: " + std::generic_category().message(error), mend};
}

}  // namespace

Result<FileText> read_file(const std::filesystem::path& file, std::size_t bytes_max, const std::string& mend) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot(file, errno, mend);
  FileText out;
  ssize_t got = 1;
  int error = 0;
  for (std::size_t bytes = 0; got > 0 && bytes <= bytes_max;
       bytes += static_cast<std::size_t>(std::max<ssize_t>(got, 0))) {
    out.text.resize(bytes + step_bytes);
    got = ::read(fd, out.text.data() + bytes, step_bytes);
    error = errno;
    out.text.resize(bytes + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  ::close(fd);
  if (got < 0) return cannot(file, error, mend);
  if (out.text.size() > bytes_max)
    return Error{
        file.string() + ": is larger than the " + std::to_string(bytes_max >> 10U) + " KiB such a file may have", mend};
  return out;
}

}  // namespace lw
