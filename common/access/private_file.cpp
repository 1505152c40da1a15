#include "common/access/private_file.h"

#include "common/base/cannot_write.h"
#include "common/base/file_lock.h"
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

// A rename is on the disk only once its folder is.
int sync_folder_of(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = ::fsync(fd) != 0 && errno != EINVAL ? errno : 0;  // EINVAL: this file system knows no such thing
  ::close(fd);
  return error;
}

}  // namespace

Result<void> write_private_file(const std::filesystem::path& file, std::string_view text, std::string_view mend) {
  auto part = file.string() + ".XXXXXX";
  const int fd = ::mkostemp(part.data(), O_CLOEXEC);  // with mode 0600
  int error = fd < 0 ? errno : write_all(fd, std::as_bytes(std::span(text)));
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  if (fd >= 0) ::close(fd);
  if (error == 0 && ::rename(part.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0)
    error = sync_folder_of(file);
  else if (fd >= 0)
    ::unlink(part.c_str());
  if (error == 0) return {};
  errno = error;
  return cannot_write(file, std::string(mend.empty() ? usual_mend : mend));
}

Result<std::optional<std::string>> read_private_file(const std::filesystem::path& file) {
  if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return std::optional<std::string>();
  auto text = read_file(file, bytes_max, usual_mend);
  if (!text) return text.error();
  return std::optional(std::move(*text));
}

Result<void> change_private_file(const std::filesystem::path& file, const FileChange& change) {
  const auto lock = FileLock::take(file);
  if (!lock) return lock.error();
  const auto before = read_private_file(file);
  if (!before) return before.error();
  const auto after = change(*before);
  if (!after) return after.error();
  return *after ? write_private_file(file, **after) : Result<void>();
}

}  // namespace lw
