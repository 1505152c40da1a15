#include "common/concurrency/pinned_thread.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace lw {

namespace {

int become_realtime(unsigned priority) {
  const sched_param parameters{static_cast<int>(priority)};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

}  // namespace

std::jthread start_thread(const std::string& name, int cpu, std::function<void(std::stop_token)> body,
                          unsigned realtime_priority) {
  return std::jthread([name, cpu, realtime_priority, body = std::move(body)](std::stop_token stop) {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    prctl(PR_SET_TIMERSLACK, 1UL);  // the default of 50 us would show up as jitter
    if (cpu >= 0) {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<std::size_t>(cpu), &set);
      pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
    }
    if (realtime_priority > 0) become_realtime(realtime_priority);
    body(std::move(stop));
  });
}

Result<void> move_thread(std::jthread& thread, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu >= 0) {
    if (auto allowed = check_cpus({static_cast<unsigned>(cpu)}); !allowed) return allowed;
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  } else {
    for (const int one : allowed_cpus()) CPU_SET(static_cast<std::size_t>(one), &set);
  }
  if (const int error = pthread_setaffinity_np(thread.native_handle(), sizeof(set), &set); error != 0)
    return Error{fmt::format("cannot move a thread to CPU {}: {}", cpu, std::strerror(error)),
                 "choose another one; lscpu lists those that are online"};
  return {};
}

Result<void> check_cpus(const std::vector<unsigned>& cpus) {
  const auto allowed = allowed_cpus();
  for (const auto cpu : cpus)
    if (std::ranges::find(allowed, static_cast<int>(cpu)) == allowed.end())
      return Error{fmt::format("cpus: this process may not run on CPU {}", cpu),
                   fmt::format("name some of {} in the wall file, or start the program on more (taskset, AllowedCPUs=)",
                               fmt::join(allowed, ", "))};
  return {};
}

Result<void> check_realtime(unsigned priority) {
  int error = 0;
  std::thread([&] { error = become_realtime(priority); }).join();
  if (error == 0) return {};
  return Error{fmt::format("the kernel does not allow real-time priority {}", priority),
               fmt::format("ulimit -r {0}, or LimitRTPRIO={0} in the service, or realtime_priority = 0", priority)};
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

// A flow's thread may ask during playback: allocates nothing.
int current_cpu_pin() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) != 1) return -1;
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &set)) ++cpu;
  return cpu;
}

Nanoseconds shortest_sleep() {
  std::array<Nanoseconds, 9> took{};
  for (auto& one : took) {
    const auto began = LocalClock::now();
    std::this_thread::sleep_for(Nanoseconds{1});
    one = LocalClock::now() - began;
  }
  std::ranges::nth_element(took, took.begin() + took.size() / 2);
  return took[took.size() / 2];
}

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace lw
