#include "common/base/beneath.h"

#include "common/base/cannot_write.h"
#include "common/base/random_id.h"
#include "common/base/read_file.h"
#include "common/base/write_all.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
// Opening a pipe without a writer would otherwise block forever.
constexpr int file_flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

bool leaves(const fs::path& name) {
  if (name.empty() || name.is_absolute()) return true;
  for (const auto& part : name)
    if (part == "..") return true;
  return false;
}

std::string why(int error) {
  if (error == ELOOP || error == EXDEV) return "it is a link, or behind one, and links in a store are not followed";
  return std::generic_category().message(error);
}

// A descriptor, or -errno.
int open_by_kernel(int folder, const fs::path& name, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  for (;;) {
    const long fd = ::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof(how));
    if (fd >= 0) return static_cast<int>(fd);
    if (errno != EINTR && errno != EAGAIN) return -errno;  // EAGAIN: something was renamed meanwhile
  }
}

// Opens each folder before looking into it, so that it cannot become a link in between.
int open_by_folder(int folder, const fs::path& name, int flags) {
  Descriptor inner;
  const auto last = std::prev(name.end());
  for (auto part = name.begin(); part != last; ++part) {
    Descriptor next(::openat(inner ? inner.get() : folder, part->c_str(), folder_flags));
    // For a link, O_DIRECTORY yields ENOTDIR.
    if (!next) return errno == ENOTDIR ? -ELOOP : -errno;
    inner = std::move(next);
  }
  const auto leaf = last->empty() ? fs::path(".") : *last;
  const int fd = ::openat(inner ? inner.get() : folder, leaf.c_str(), flags);
  return fd >= 0 ? fd : -errno;
}

Result<Descriptor> open_in(const Beneath& in, const fs::path& name, int flags, Lookup lookup) {
  const auto failed = [&](int error) {
    return Error{fmt::format("cannot read {}: {}", (in.shown / name).string(), why(error)), in.fix};
  };
  if (leaves(name)) return Error{fmt::format("'{}' leads out of {}", name.string(), in.shown.string()), in.fix};
  int fd = lookup == Lookup::kernel ? open_by_kernel(in.folder, name, flags) : -ENOSYS;
  // Older kernels lack it, and some containers forbid it.
  if (fd == -ENOSYS || (fd == -EPERM && lookup == Lookup::kernel)) fd = open_by_folder(in.folder, name, flags);
  // The kernel reports a link in place of a folder as "not a directory".
  std::array<char, 1> first{};
  if (fd == -ENOTDIR && ::readlinkat(in.folder, name.c_str(), first.data(), first.size()) > 0) fd = -ELOOP;
  if (fd < 0) return failed(-fd);
  return Descriptor(fd);
}

int write_new(int folder, const std::string& name, std::string_view text, const std::optional<timespec>& time) {
  const Descriptor file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file) return errno;
  int error = write_all(file.get(), std::as_bytes(std::span(text)));
  if (error == 0 && time) {
    const std::array times{timespec{0, UTIME_NOW}, *time};
    if (::futimens(file.get(), times.data()) != 0) error = errno;
  }
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  return error;
}

}  // namespace

Result<Descriptor> open_folder(const fs::path& folder, const std::string& fix) {
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) return Descriptor(fd);
  return Error{fmt::format("cannot read {}: {}", folder.string(), std::generic_category().message(errno)), fix};
}

Result<Descriptor> Beneath::open_folder(const fs::path& name, Lookup lookup) const {
  return open_in(*this, name, folder_flags, lookup);
}

Result<Descriptor> Beneath::open_file(const fs::path& name, Lookup lookup) const {
  auto file = open_in(*this, name, file_flags, lookup);
  if (!file) return file;
  struct stat status {};
  if (::fstat(file->get(), &status) != 0 || !S_ISREG(status.st_mode))
    return Error{fmt::format("cannot read {}: it is not a regular file", (shown / name).string()), fix};
  // Needed only for opening: with it, io_uring returns EAGAIN instead of waiting for the disk.
  ::fcntl(file->get(), F_SETFL, ::fcntl(file->get(), F_GETFL) & ~O_NONBLOCK);
  return file;
}

Result<std::string> Beneath::read(const fs::path& name, std::size_t bytes_max) const {
  const auto file = open_file(name);
  if (!file) return file.error();
  return read_open_file(file->get(), shown / name, bytes_max, fix);
}

bool Beneath::has(const fs::path& name) const {
  struct stat status {};
  return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<void> Beneath::replace(const std::string& name, std::string_view text,
                              const std::optional<timespec>& time) const {
  const auto part = fmt::format(".{}.{}", name, random_id());
  int error = write_new(folder, part, text, time);
  if (error == 0 && ::renameat(folder, part.c_str(), folder, name.c_str()) != 0) error = errno;
  if (error == 0) error = ::fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
  if (error == 0) return {};
  if (error != EEXIST) ::unlinkat(folder, part.c_str(), 0);
  errno = error;
  return cannot_write(shown / name, fix);
}

}  // namespace lw
