#include "ingest/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <span>

#include "common/base/descriptor.h"
#include "common/base/write_all.h"

namespace lw::disk {

int write_file(const std::filesystem::path& file, std::string_view text) {
  const Descriptor open(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!open) return errno;
  if (const int error = write_all(open.get(), std::as_bytes(std::span(text))); error != 0) return error;
  return fsync(open.get()) == 0 ? 0 : errno;
}

int sync_file(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  return error;
}

int sync_folder(const std::filesystem::path& folder) { return sync_file(folder); }

std::string size_text(std::uint64_t bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

std::uint64_t free_bytes(const std::filesystem::path& folder) {
  struct statvfs space {};
  return statvfs(folder.c_str(), &space) == 0 ? std::uint64_t{space.f_bavail} * space.f_frsize : 0;
}

Result<void> check_space(const std::vector<Demand>& demands) {
  std::map<dev_t, Demand> disks;
  for (const auto& demand : demands) {
    struct stat status {};
    if (stat(demand.folder.c_str(), &status) != 0) continue;
    auto& disk = disks[status.st_dev];
    if (disk.folder.empty()) disk.folder = demand.folder;
    disk.bytes += demand.bytes;
  }
  for (const auto& [device, disk] : disks) {
    const auto available = free_bytes(disk.folder);
    if (available < disk.bytes)
      return Error{fmt::format("the disk of {} is too full: {} needed, {} free", disk.folder.string(),
                               size_text(disk.bytes), size_text(available)),
                   "free some space, name directories on other disks with --out, or import fewer frames with --frames"};
  }
  return {};
}

}  // namespace lw::disk
