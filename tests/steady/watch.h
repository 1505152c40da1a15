// Counts allocations and locks by the threads of the data path while watching is on: replaces malloc and
// pthread_mutex_lock of this program. A thread belongs to the data path by its name.
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
// The origin of the first one counted, for the failure's message.
std::string first_culprit();

}  // namespace lw::steady
