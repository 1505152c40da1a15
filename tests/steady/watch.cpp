#include "tests/steady/watch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

extern "C" {
// glibc's own, under the names it keeps for those who replace malloc.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
}

namespace lw::steady {
namespace {

std::atomic<bool> watching{false};
std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> locks{0};
std::atomic<bool> have_culprit{false};
std::array<char, 64> culprit{};

bool on_data_path() {
  std::array<char, 17> name{};
  prctl(PR_GET_NAME, name.data());
  for (const char* prefix : {"flow-", "flows-", "recv-", "recvs-", "playback", "present", "relay-", "relays-"})
    if (std::strncmp(name.data(), prefix, std::strlen(prefix)) == 0) return true;
  return false;
}

void count(std::atomic<std::uint64_t>& counter, const char* what) {
  if (!watching.load(std::memory_order_relaxed) || !on_data_path()) return;
  counter.fetch_add(1, std::memory_order_relaxed);
  if (have_culprit.exchange(true)) return;
  std::array<char, 17> name{};
  prctl(PR_GET_NAME, name.data());
  std::snprintf(culprit.data(), culprit.size(), "%s in %s", what, name.data());  // into its own buffer: no malloc
}

}  // namespace

void watch(bool on) { watching = on; }
Counts counts() { return {allocations, locks}; }
std::string first_culprit() { return culprit.data(); }

}  // namespace lw::steady

extern "C" {

void* malloc(std::size_t bytes) {
  lw::steady::count(lw::steady::allocations, "malloc");
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  lw::steady::count(lw::steady::allocations, "calloc");
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  lw::steady::count(lw::steady::allocations, "realloc");
  return __libc_realloc(memory, bytes);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  lw::steady::count(lw::steady::locks, "a mutex");
  return real(mutex);
}
}
