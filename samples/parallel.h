// Splits a range over threads. What each part computes must not depend on how it is split: the samples are
// deterministic.
#pragma once

#include <thread>
#include <vector>

namespace lw::cosmos {

template <class Body>
void parallel_ranges(int count, Body body, int threads = static_cast<int>(std::thread::hardware_concurrency())) {
  std::vector<std::thread> workers;
  for (int i = 1; i < threads; ++i)
    workers.emplace_back([=, &body] { body(count * i / threads, count * (i + 1) / threads); });
  body(0, count / threads);
  for (auto& worker : workers) worker.join();
}

}  // namespace lw::cosmos
