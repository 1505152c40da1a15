#include "common/host/limits.h"

#include "common/host/sysfs.h"

#include <linux/io_uring.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

namespace lw {
namespace {

// "MemTotal:  16384 kB" -> bytes; counts without a unit stay unchanged.
std::map<std::string, std::uint64_t> read_meminfo(const std::filesystem::path& file) {
  std::map<std::string, std::uint64_t> values;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::uint64_t unit = line.ends_with(" kB") ? 1024 : 1;
    values[line.substr(0, colon)] = std::strtoull(line.c_str() + colon + 1, nullptr, 10) * unit;
  }
  return values;
}

// "always [madvise] never"
std::optional<std::string> bracketed(const std::optional<std::string>& text) {
  if (!text) return {};
  const auto open = text->find('['), close = text->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return text->substr(open + 1, close - open - 1);
}

bool can_set_up_ring() {
  io_uring_params parameters{};
  const long ring = syscall(__NR_io_uring_setup, 1, &parameters);
  if (ring < 0) return false;
  close(static_cast<int>(ring));
  return true;
}

void read_process_limits(Limits& limits) {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0) {
    if (limit.rlim_cur != RLIM_INFINITY) limits.memlock_bytes = limit.rlim_cur;
    limits.memlock_unlimited = !limits.memlock_bytes || geteuid() == 0;
  }
  if (getrlimit(RLIMIT_RTPRIO, &limit) == 0)
    limits.realtime_priority_max = geteuid() == 0 ? 99 : std::min<std::uint64_t>(limit.rlim_cur, 99);
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) limits.open_files = limit.rlim_cur;
}

}  // namespace

Limits read_limits(const std::filesystem::path& root) {
  Limits limits;
  const auto core = root / "proc/sys/net/core";
  limits.kernel = read_line(root / "proc/sys/kernel/osrelease");
  limits.rmem_max = read_number(core / "rmem_max");
  limits.wmem_max = read_number(core / "wmem_max");
  limits.optmem_max = read_number(core / "optmem_max");
  limits.netdev_max_backlog = read_number(core / "netdev_max_backlog");
  const auto memory = read_meminfo(root / "proc/meminfo");
  const auto value = [&](const char* key) -> std::optional<std::uint64_t> {
    const auto found = memory.find(key);
    return found == memory.end() ? std::nullopt : std::optional(found->second);
  };
  limits.realtime_us_per_second = read_number(root / "proc/sys/kernel/sched_rt_runtime_us");
  limits.swap_bytes = value("SwapTotal");
  limits.memory_bytes = value("MemTotal");
  limits.memory_available_bytes = value("MemAvailable");
  limits.huge_pages = value("HugePages_Total");
  limits.huge_page_bytes = value("Hugepagesize");
  limits.transparent_huge_pages = bracketed(read_line(root / "sys/kernel/mm/transparent_hugepage/enabled"));
  limits.io_uring = can_set_up_ring();
  read_process_limits(limits);
  return limits;
}

}  // namespace lw
