#include "probe/doctor/memory_rate.h"

#include "common/concurrency/pinned_thread.h"
#include "common/memory/pages.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

namespace lw {
namespace {

constexpr std::size_t bytes_min = std::size_t{32} << 20U;  // of a thread
constexpr std::size_t cache_shares = 4;                    // times the third-level cache, of all threads

std::size_t bytes_per_thread(std::size_t threads) {
  const auto cache = static_cast<std::size_t>(std::max(0L, ::sysconf(_SC_LEVEL3_CACHE_SIZE)));
  return Pages::rounded(std::max(bytes_min, cache * cache_shares / threads));
}

// Several sums, so that the reads do not wait for each other.
std::uint64_t sum_of(std::span<const std::uint64_t> words) {
  std::array<std::uint64_t, 8> sums{};
  for (std::size_t i = 0; i + sums.size() <= words.size(); i += sums.size())
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += words[i + j];
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

// The rates of all threads, each over its own time: they run at the same time.
double measure(const std::vector<unsigned>& cpus, const std::vector<Pages>& pages, std::chrono::milliseconds time) {
  std::vector<double> rates(cpus.size());
  std::atomic<std::uint64_t> total{0};  // so that the compiler keeps the reads
  std::barrier start(static_cast<std::ptrdiff_t>(cpus.size()));
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < cpus.size(); ++i)
    threads.push_back(start_thread("memory", static_cast<int>(cpus[i]), [&, i](const std::stop_token& /*stop*/) {
      const std::span words(reinterpret_cast<const std::uint64_t*>(pages[i].data()), pages[i].bytes() / 8);
      start.arrive_and_wait();
      const auto begin = std::chrono::steady_clock::now();
      auto now = begin;
      std::size_t bytes = 0;
      for (; now - begin < time; now = std::chrono::steady_clock::now()) {
        total += sum_of(words);
        bytes += words.size_bytes();
      }
      rates[i] = static_cast<double>(bytes) / std::chrono::duration<double>(now - begin).count();
    }));
  for (auto& thread : threads) thread.join();
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

}  // namespace

Result<void> measure_memory_rates(Topology& topology, std::chrono::milliseconds time_per_node) {
  for (auto& node : topology.numa_nodes) {
    std::vector<unsigned> cpus;
    for (const auto& core : topology.cores)
      if (core.numa_node == node.index && !core.cpus.empty()) cpus.push_back(core.cpus.front());
    if (cpus.empty()) continue;
    std::vector<Pages> pages;
    for (const auto cpu : cpus) {
      auto allocated = Pages::allocate(bytes_per_thread(cpus.size()), static_cast<int>(cpu));
      if (!allocated) return Error(allocated.error()).in("--memory-rate");
      pages.push_back(std::move(*allocated));
    }
    node.memory_bytes_per_s = measure(cpus, pages, time_per_node);
  }
  return {};
}

}  // namespace lw
