// Memory for many small buffers next to each other, so that they lie on huge pages: a wall of 512 tiles has frames of
// 43 kB, and each copy of one would need a dozen translations of addresses instead of one.
//
// First the bytes of all buffers are counted, then each buffer is taken. One thread. Must outlive the pages that it has
// given.
#pragma once

#include "common/base/result.h"
#include "common/memory/pages.h"

#include <cstddef>
#include <map>

namespace lw {

class SharedPages {
public:
  // A buffer that will be taken.
  void expect(std::size_t bytes, int cpu);
  // An expected buffer, like one of Pages::allocate(). Large ones, which fill huge pages, are allocated separately.
  Result<Pages> take(std::size_t bytes, int cpu);

private:
  struct Share {
    std::size_t expected = 0;
    std::size_t taken = 0;
    Pages pages;  // allocated when the first part is taken
  };
  std::map<int, Share> of_node_;  // by NUMA node; -1: any
};

}  // namespace lw
