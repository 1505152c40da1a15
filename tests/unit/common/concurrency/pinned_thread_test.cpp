// A running thread is moved by another, as the kernel confirms, and back; impossible moves are refused with a reason.
#include "common/concurrency/pinned_thread.h"

#include <catch2/catch.hpp>

#include <atomic>

using namespace lw;

TEST_CASE("a running thread is moved to a CPU, and back to all of them") {
  std::atomic<int> pin{-2};
  auto thread = start_thread("moved", -1, [&](const std::stop_token& stop) {
    while (!stop.stop_requested()) pin = current_cpu_pin();
  });
  const auto becomes = [&](int cpu) {
    for (int i = 0; i < 1000 && pin != cpu; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return pin == cpu;
  };
  const auto cpus = allowed_cpus();
  REQUIRE(!cpus.empty());
  for (const int cpu : {cpus.front(), cpus.back()}) {
    CHECK(move_thread(thread, cpu).has_value());
    CHECK(becomes(cpu));
  }
  CHECK(move_thread(thread, -1).has_value());
  CHECK(becomes(cpus.size() == 1 ? cpus.front() : -1));
  const auto refused = move_thread(thread, 100'000);
  REQUIRE_FALSE(refused.has_value());
  CHECK_THAT(refused.error().text(), Catch::Contains("100000"));
}
