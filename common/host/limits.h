// Kernel settings and process limits that matter for streaming.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lw {

struct Limits {
  std::optional<std::string> kernel;               // "6.1.0-18-amd64"
  std::optional<std::int64_t> rmem_max, wmem_max;  // bytes, net.core.*
  std::optional<std::int64_t> optmem_max;          // bytes
  std::optional<std::int64_t> netdev_max_backlog;  // packets
  std::optional<std::uint64_t> memlock_bytes;      // RLIMIT_MEMLOCK; absent also if unlimited (see memlock_unlimited)
  bool memlock_unlimited = false;                  // also for root, whom the limit does not bind
  std::optional<std::uint64_t> open_files;         // RLIMIT_NOFILE
  std::optional<std::uint64_t> realtime_priority_max;  // RLIMIT_RTPRIO; 99 for root
  std::optional<std::int64_t> realtime_us_per_second;  // kernel.sched_rt_runtime_us; -1: no limit
  std::optional<std::uint64_t> swap_bytes;
  std::optional<std::uint64_t> memory_bytes, memory_available_bytes;
  std::optional<std::uint64_t> huge_pages, huge_page_bytes;  // reserved huge pages
  std::optional<std::string> transparent_huge_pages;         // "always", "madvise", "never"
  std::optional<bool> io_uring;                              // a ring can be set up
};

// `root` contains proc/ and sys/; tests pass a fake one. Process limits and io_uring are always those of this process.
Limits read_limits(const std::filesystem::path& root = "/");

}  // namespace lw
