#include "probe/doctor/sysctl_mend.h"

#include "common/base/write_all.h"
#include "common/host/sysfs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>

namespace lw {
namespace {

std::filesystem::path file_of(const Sysctl& sysctl, const std::filesystem::path& root) {
  auto name = sysctl.name;
  std::ranges::replace(name, '.', '/');
  return root / "proc/sys" / name;
}

}  // namespace

std::vector<Sysctl> sysctls_of(const std::vector<Complaint>& complaints) {
  std::vector<Sysctl> sysctls;
  for (const auto& complaint : complaints) {
    if (!complaint.sysctl) continue;
    const auto known = std::ranges::find(sysctls, complaint.sysctl->name, &Sysctl::name);
    if (known == sysctls.end())
      sysctls.push_back(*complaint.sysctl);
    else
      *known = *complaint.sysctl;
  }
  return sysctls;
}

Result<void> apply(const std::vector<Sysctl>& sysctls, const std::filesystem::path& undo,
                   const std::function<void(const std::string&)>& tell, const std::filesystem::path& root) {
  const Error exists{undo.string() + " already exists",
                     fmt::format("run `sh {}` and remove it, or name another file with --undo", undo.string())};
  if (std::filesystem::exists(undo)) return exists;
  std::string script = "#!/bin/sh\n# Restores the settings that wall-probe doctor --apply changed.\n";
  for (const auto& sysctl : sysctls) {
    const auto before = read_line(file_of(sysctl, root));
    if (!before) return Error{"the kernel has no setting " + sysctl.name, "run without --apply, and fix it manually"};
    script += fmt::format("sysctl -w {}='{}'\n", sysctl.name, *before);
  }
  // Never over what another one made meanwhile, nor through a link.
  const int fd = ::open(undo.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST) return exists;
  const int error = fd < 0 ? errno : write_all(fd, std::as_bytes(std::span(script)));
  if (fd >= 0) ::close(fd);
  if (error != 0) return Error{undo.string() + " cannot be written", "name another file with --undo"};
  for (const auto& sysctl : sysctls) {
    tell(fmt::format("sysctl -w {}={}", sysctl.name, sysctl.value));
    std::ofstream setting(file_of(sysctl, root));
    setting << sysctl.value << std::endl;
    if (!setting)
      return Error{sysctl.name + " cannot be set", fmt::format("restore the others with `sh {}`", undo.string())};
  }
  return {};
}

}  // namespace lw
