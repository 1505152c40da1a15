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

// Runs `body` on a new thread. `cpu` < 0: not pinned; `realtime_priority` 1 to 99: SCHED_FIFO. What fails of these is
// no error: current_cpu_pin() on the thread tells, check_cpus and check_realtime tell before. Names are cut to the
// kernel's 15 characters.
std::jthread start_thread(const std::string& name, int cpu, std::function<void(std::stop_token)> body,
                          unsigned realtime_priority = 0);

// Pins a thread that runs, from any other; `cpu` < 0: it may run where this process may. Where its memory lies does not
// change.
Result<void> move_thread(std::jthread& thread, int cpu);

// Whether this process may run on these CPUs, and with this real-time priority; errors say how to allow it.
Result<void> check_cpus(const std::vector<unsigned>& cpus);
Result<void> check_realtime(unsigned priority);

// The core the calling thread is pinned to, or -1 when it may run on several.
int current_cpu_pin();

// How long the calling thread sleeps when it asks for less: what the timer and waking up take. Some 5 us on a host of
// one's own, 60 and more on a virtual machine. Sleeps for some of them.
Nanoseconds shortest_sleep();

// CPU time the calling thread has used, user and system.
double thread_cpu_seconds();

// Cores this process may run on, in ascending order.
std::vector<int> allowed_cpus();

// Tells the core that this is a loop that waits: its other hardware thread runs faster meanwhile.
inline void relax_cpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm("yield");
#endif
}

}  // namespace lw
