#include "common/memory/pages.h"

#include <fmt/format.h>
#include <linux/mman.h>
#include <numa.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace lw {
namespace {

void* map(std::size_t bytes, int flags) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Transparent huge pages begin at multiples of their size; not every kernel maps there by itself.
void* map_aligned(std::size_t bytes, std::size_t alignment) {
  auto* const mapped = static_cast<std::byte*>(map(bytes + alignment, 0));
  if (mapped == nullptr) return nullptr;
  const auto before = (alignment - reinterpret_cast<std::uintptr_t>(mapped) % alignment) % alignment;
  if (before > 0) munmap(mapped, before);
  munmap(mapped + before + bytes, alignment - before);
  return mapped + before;
}

}  // namespace

int Pages::numa_node_near(int cpu) { return cpu < 0 || numa_available() < 0 ? -1 : numa_node_of_cpu(cpu); }

Result<Pages> Pages::allocate(std::size_t bytes, int cpu) {
  Pages pages;
  pages.bytes_ = rounded(bytes);
  void* memory = fill_huge_pages(bytes) ? map(pages.bytes_, MAP_HUGETLB | MAP_HUGE_2MB) : nullptr;
  pages.reserved_huge_ = memory != nullptr;
  if (memory == nullptr) memory = fill_huge_pages(bytes) ? map_aligned(pages.bytes_, huge) : map(pages.bytes_, 0);
  if (memory == nullptr)
    return Error{fmt::format("cannot allocate {} MiB for frames: {}", pages.bytes_ >> 20U, std::strerror(errno)),
                 "lower playout_delay_ms or give the host more memory"};
  if (!pages.reserved_huge_) madvise(memory, pages.bytes_, MADV_HUGEPAGE);
  if (const int node = numa_node_near(cpu); node >= 0)
    numa_tonode_memory(memory, pages.bytes_, node);  // a preference: full nodes are skipped
  std::memset(memory, 0, pages.bytes_);
  pages.locked_ = pages.reserved_huge_ || mlock(memory, pages.bytes_) == 0;  // reserved pages are never swapped
  pages.data_ = static_cast<std::byte*>(memory);
  pages.owned_ = true;
  return pages;
}

Pages Pages::of_driver(std::span<std::byte> memory) {
  Pages pages;
  pages.data_ = memory.data();
  pages.bytes_ = memory.size();
  std::memset(memory.data(), 0, memory.size());
  pages.locked_ = mlock(memory.data(), memory.size()) == 0;
  return pages;
}

Pages Pages::view(std::size_t from, std::size_t bytes) const {
  Pages pages;
  pages.data_ = data_ + from;
  pages.bytes_ = bytes;
  pages.reserved_huge_ = reserved_huge_;
  pages.locked_ = locked_;
  return pages;
}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(reserved_huge_, other.reserved_huge_);
  std::swap(locked_, other.locked_);
  std::swap(owned_, other.owned_);
  return *this;
}

Pages::~Pages() {
  if (owned_) munmap(data_, bytes_);
}

void FrameMemory::add(const Pages& pages) {
  bytes += pages.bytes();
  if (pages.reserved_huge()) reserved_huge_bytes += pages.bytes();
  if (pages.locked()) locked_bytes += pages.bytes();
}

std::string FrameMemory::text() const {
  const auto mib = [](std::size_t value) { return static_cast<double>(value) / (1 << 20); };
  auto text = fmt::format("{:.1f} MiB of frames in memory", mib(bytes));
  if (reserved_huge_bytes > 0) text += fmt::format(", {:.1f} MiB on reserved huge pages", mib(reserved_huge_bytes));
  if (locked_bytes == bytes) return text + ", locked";
  return text + fmt::format(
                    ", {:.1f} MiB not locked and may be swapped out: raise ulimit -l, or LimitMEMLOCK= of the "
                    "service, to {}",
                    mib(bytes - locked_bytes), bytes >> 10U);
}

}  // namespace lw
