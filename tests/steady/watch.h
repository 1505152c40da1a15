// Counts what the threads of the data path allocate and lock, while watching is on: malloc and pthread_mutex_lock of
// this program are replaced. A thread belongs to the data path by its name.
#pragma once

#include <cstdint>
#include <string>

namespace lw::steady {

struct Counts {
  std::uint64_t allocations = 0;
  std::uint64_t locks = 0;
};

void watch(bool on);
Counts counts();
// Of the first thing counted, for the failure's message.
std::string first_culprit();

}  // namespace lw::steady
