#include "ingest/host_share.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "common/concurrency/pinned_thread.h"
#include "common/host/limits.h"

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr unsigned spare_threads = 2;
constexpr unsigned share = 8;  // of the memory; the page cache and other programs need the rest
constexpr std::uint64_t if_unknown = std::uint64_t{4} << 30U;

// Of the control group that this process is in, and of those above it.
std::uint64_t group_limit(const fs::path& root) {
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line) && !line.starts_with("0::/")) continue;
  std::uint64_t least = UINT64_MAX;
  const auto top = root / "sys/fs/cgroup";
  for (auto path = line.starts_with("0::/") ? line.substr(4) : std::string();;
       path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'))) {
    std::uint64_t bytes = 0;
    if (std::ifstream(top / path / "memory.max") >> bytes) least = std::min(least, bytes);  // "max" is not a number
    if (path.empty()) return least;
  }
}

std::uint64_t address_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

}  // namespace

unsigned HostShare::room_for(std::uint64_t bytes, unsigned most) const {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(frame_bytes / std::max<std::uint64_t>(bytes, 1), 1, most));
}

HostShare share_of_host(std::optional<unsigned> threads, const fs::path& root) {
  const auto cpus = static_cast<unsigned>(std::max<std::size_t>(1, allowed_cpus().size()));
  const auto memory =
      std::min({read_limits(root).memory_available_bytes.value_or(if_unknown), group_limit(root), address_limit()});
  return {threads.value_or(cpus + spare_threads), memory / share};
}

}  // namespace lw
