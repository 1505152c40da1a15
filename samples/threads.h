// Distributes work over threads. Results of a part must not depend on how the work is split: the samples are the same
// with any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace lw::cosmos {

struct Threads {
  int count = 1;

  static Threads of_this_machine() {
    return {std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 64)};
  }

  // Calls body(thread) once on each thread.
  template <class Body>
  void each(const Body& body) const {
    std::vector<std::thread> others;
    for (int i = 1; i < count; ++i) others.emplace_back([&body, i] { body(i); });
    body(0);
    for (auto& other : others) other.join();
  }
  // Calls body(begin, end) for consecutive parts of 0 to `all`, one for each thread.
  template <class Body>
  void ranges(int all, const Body& body) const {
    each([&](int i) {
      const auto cut = [&](int part) { return static_cast<int>(static_cast<long long>(all) * part / count); };
      body(cut(i), cut(i + 1));
    });
  }
  // Calls body(item) for 0 to `all`, each item on the next free thread.
  template <class Body>
  void items(int all, const Body& body) const {
    std::atomic<int> next{0};
    each([&](int) {
      for (int item = next++; item < all; item = next++) body(item);
    });
  }
};

}  // namespace lw::cosmos
