#include "common/memory/pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace lw {

Result<Pages> Pages::allocate(std::size_t bytes) {
  constexpr std::size_t small = 4096;
  constexpr std::size_t huge = std::size_t{2} << 20U;
  const std::size_t unit = bytes >= huge ? huge : small;
  Pages pages;
  pages.bytes_ = (bytes + unit - 1) / unit * unit;
  void* memory = mmap(nullptr, pages.bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return Error{"cannot allocate " + std::to_string(pages.bytes_ >> 20U) + " MiB for frames: " + std::strerror(errno),
                 "lower playout_delay_ms or give the host more memory"};
  madvise(memory, pages.bytes_, MADV_HUGEPAGE);
  // Touched now, so that no page fault falls into playing.
  std::memset(memory, 0, pages.bytes_);
  pages.data_ = static_cast<std::byte*>(memory);
  return pages;
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

}  // namespace lw
