#include "common/concurrency/pinned_thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <ctime>

namespace lw {

std::jthread start_thread(const std::string& name, int cpu, std::function<void(std::stop_token)> body) {
  return std::jthread([name = name.substr(0, 15), cpu, body = std::move(body)](std::stop_token stop) {
    pthread_setname_np(pthread_self(), name.c_str());
    prctl(PR_SET_TIMERSLACK, 1UL);  // the default of 50 us would show up as jitter
    if (cpu >= 0) {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<std::size_t>(cpu), &set);
      pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
    }
    body(std::move(stop));
  });
}

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

int current_cpu_pin() {
  const auto cpus = allowed_cpus();
  return cpus.size() == 1 ? cpus.front() : -1;
}

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void sleep_until(WallTime time) {
  const auto since_epoch = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_epoch);
  const timespec deadline{static_cast<std::time_t>(seconds.count()),
                          static_cast<long>((since_epoch - seconds).count())};
  while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
  }
}

}  // namespace lw
