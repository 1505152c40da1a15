// What this process takes of its host, and how much it may.
#pragma once

namespace lw {

struct ProcessStats {
  double cpu_s = 0;   // of all threads, user and system
  unsigned cpus = 0;  // it may run on; 0: not known
};

ProcessStats read_process_stats();

}  // namespace lw
