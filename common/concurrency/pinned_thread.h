// Threads of the data path: named (so that top and perf tell them apart), pinned to a core where the host allows it,
// and sleeping to an absolute time with the kernel's shortest timer slack.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lw {

// Runs `body` on a new thread. `cpu` < 0: not pinned; `realtime_priority` 1 to 99: SCHED_FIFO. Failing to set these is
// not an error: check_cpus and check_realtime find out before, current_cpu_pin() on the thread afterwards. Names are
// cut to the kernel's 15 characters.
std::jthread start_thread(const std::string& name, int cpu, std::function<void(std::stop_token)> body,
                          unsigned realtime_priority = 0);

// Pins a running thread, from any other thread; `cpu` < 0: it may run wherever this process may. Its memory stays on
// the NUMA node where it is.
Result<void> move_thread(std::jthread& thread, int cpu);

// Whether this process may run on these CPUs or with this real-time priority; errors say how to allow it.
Result<void> check_cpus(const std::vector<unsigned>& cpus);
Result<void> check_realtime(unsigned priority);

// The core to which the calling thread is pinned, or -1 if it may run on several.
int current_cpu_pin();

// The least time for which the calling thread sleeps, due to timer and wake-up latency: some 5 us on a dedicated host,
// 60 us and more on a virtual machine. Measures it with a few short sleeps.
Nanoseconds shortest_sleep();

// CPU time used by the calling thread, user and system.
double thread_cpu_seconds();

// Cores this process may run on, in ascending order.
std::vector<int> allowed_cpus();

// Hints to the core that this is a spin loop, so that its other hardware thread runs faster.
inline void relax_cpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm("yield");
#endif
}

}  // namespace lw
