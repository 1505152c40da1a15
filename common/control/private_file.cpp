#include "common/control/private_file.h"

#include "common/base/cannot_write.h"
#include "common/base/read_file.h"
#include "common/base/write_all.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t bytes_max = std::size_t{1} << 20U;
constexpr const char* usual_mend = "name another folder with --state, or correct its owner and mode";

}  // namespace

Result<void> write_private_file(const std::filesystem::path& file, std::string_view text, std::string_view mend) {
  auto part = file.string() + ".XXXXXX";
  const int fd = ::mkostemp(part.data(), O_CLOEXEC);  // with mode 0600
  int error = fd < 0 ? errno : write_all(fd, std::as_bytes(std::span(text)));
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  if (fd >= 0) ::close(fd);
  if (error == 0 && ::rename(part.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return {};
  if (fd >= 0) ::unlink(part.c_str());
  errno = error;
  return cannot_write(file, std::string(mend.empty() ? usual_mend : mend));
}

Result<std::optional<std::string>> read_private_file(const std::filesystem::path& file) {
  if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return std::optional<std::string>();
  auto text = read_file(file, bytes_max, usual_mend);
  if (!text) return text.error();
  return std::optional(std::move(*text));
}

}  // namespace lw
