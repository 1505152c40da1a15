#include "common/memory/shared_pages.h"

#include <cassert>

namespace lw {

void SharedPages::expect(std::size_t bytes, int cpu) {
  if (!Pages::fill_huge_pages(bytes)) of_node_[Pages::numa_node_near(cpu)].expected += Pages::rounded(bytes);
}

Result<Pages> SharedPages::take(std::size_t bytes, int cpu) {
  if (Pages::fill_huge_pages(bytes)) return Pages::allocate(bytes, cpu);
  auto& share = of_node_[Pages::numa_node_near(cpu)];
  if (share.pages.data() == nullptr) {
    auto pages = Pages::allocate(share.expected, cpu);
    if (!pages) return pages;
    share.pages = std::move(*pages);
  }
  const auto from = share.taken;
  share.taken += Pages::rounded(bytes);
  assert(share.taken <= share.pages.bytes());
  return share.pages.view(from, Pages::rounded(bytes));
}

}  // namespace lw
