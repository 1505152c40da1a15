#include "common/host/disk.h"

#include "common/host/sysfs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <vector>

namespace lw {
namespace {

namespace fs = std::filesystem;

struct Mount {
  fs::path point;
  std::string type;
  std::string source;
};

bool is_below(const fs::path& directory, const fs::path& point) {
  const auto relative = directory.lexically_relative(point);
  return !relative.empty() && *relative.begin() != "..";
}

// The mount that contains a directory, from mountinfo (proc_pid_mountinfo(5)): the deepest; of several at one point,
// the last.
std::optional<Mount> mount_of(const fs::path& directory, const fs::path& root) {
  std::optional<Mount> best;
  std::ifstream stream(root / "proc/self/mountinfo");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, from, point, word;
    Mount mount;
    fields >> id >> parent >> device >> from >> point;
    while (fields >> word && word != "-") {
    }
    if (!(fields >> mount.type >> mount.source)) continue;
    mount.point = point;
    if (is_below(directory, mount.point) && (!best || mount.point.string().size() >= best->point.string().size()))
      best = mount;
  }
  return best;
}

// The block device's folder in sysfs. Filesystems that span devices have their own number; then the mount's source is
// used.
fs::path block_folder(const fs::path& directory, const std::optional<Mount>& mount, const fs::path& root) {
  const auto folder = [&](dev_t number) {
    std::error_code problem;
    return fs::canonical(root / "sys/dev/block" / (std::to_string(major(number)) + ":" + std::to_string(minor(number))),
                         problem);
  };
  struct stat status {};
  if (stat(directory.c_str(), &status) == 0 && major(status.st_dev) != 0) return folder(status.st_dev);
  if (mount && mount->source.starts_with("/dev/") && stat(mount->source.c_str(), &status) == 0 &&
      S_ISBLK(status.st_mode))
    return folder(status.st_rdev);
  return {};
}

std::optional<bool> try_direct(const fs::path& directory) {
  const auto verdict = [](int fd) -> std::optional<bool> {
    if (fd >= 0) {
      close(fd);
      return true;
    }
    if (errno == EINVAL) return false;
    return {};
  };
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(directory, fs::directory_options::skip_permission_denied, problem))
    if (entry.is_regular_file(problem))
      if (const auto known = verdict(open(entry.path().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC))) return known;
  return verdict(open(directory.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600));
}

// A mapped or RAID device above a single device counts as that device; above several the answer is not unique.
fs::path below_mapping(fs::path folder) {
  constexpr int deepest = 8;
  std::error_code problem;
  for (int depth = 0; depth < deepest; ++depth) {
    std::vector<fs::path> slaves;
    for (const auto& entry : fs::directory_iterator(folder / "slaves", problem)) slaves.push_back(entry.path());
    if (slaves.size() != 1) return folder;
    folder = fs::canonical(slaves.front(), problem);
    if (fs::exists(folder / "partition", problem)) folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

void read_block_device(const fs::path& given, Disk& disk) {
  std::error_code problem;
  auto folder = fs::canonical(given, problem);
  if (problem) return;
  if (fs::exists(folder / "partition", problem)) folder = folder.parent_path();
  folder = below_mapping(folder);
  disk.device = folder.filename().string();
  disk.model = read_line(folder / "device/model");
  // Virtual disks report 1 whatever is below them.
  const bool is_virtual = folder.string().find("/virtio") != std::string::npos;
  if (const auto rotational = read_number(folder / "queue/rotational"); rotational && !is_virtual)
    disk.rotational = *rotational != 0;
  const auto function = pci_function_of(folder);
  if (function.empty()) return;
  disk.numa_node = read_index(function / "numa_node");
  disk.pcie = read_pcie_link(function);
}

Disk read_disk(const fs::path& directory, const fs::path& root) {
  Disk disk;
  disk.directory = directory;
  std::error_code problem;
  const auto real = fs::canonical(directory, problem);
  if (problem || !fs::is_directory(real, problem)) return disk;
  disk.exists = true;
  struct statvfs space {};
  if (statvfs(real.c_str(), &space) == 0) disk.free_bytes = std::uint64_t{space.f_bavail} * space.f_frsize;
  const auto mount = mount_of(real, root);
  if (mount) disk.filesystem = mount->type;
  disk.direct_io = try_direct(real);
  if (const auto folder = block_folder(real, mount, root); !folder.empty()) read_block_device(folder, disk);
  return disk;
}

}  // namespace lw
