// The CPU time of this process, and the CPUs it may use.
#pragma once

namespace lw {

struct ProcessStats {
  double cpu_s = 0;   // of all threads, user and system
  unsigned cpus = 0;  // on which it may run; 0: unknown
};

ProcessStats read_process_stats();

}  // namespace lw
