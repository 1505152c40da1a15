#include "common/metrics/process_stats.h"

#include "common/concurrency/pinned_thread.h"

#include <ctime>

namespace lw {

ProcessStats read_process_stats() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return {static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9,
          static_cast<unsigned>(allowed_cpus().size())};
}

}  // namespace lw
