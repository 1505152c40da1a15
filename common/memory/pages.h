// Page-aligned memory for frames, allocated and touched in advance, so that playing causes no page faults. On reserved
// huge pages if the host has enough of them (vm.nr_hugepages), else on transparent ones if the kernel provides them;
// near the core that works on it; locked if the limit allows it, so that it is never swapped out.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace lw {

class Pages {
public:
  Pages() = default;
  // The size of an allocation of `bytes`: complete pages, huge ones from 2 MiB on.
  static constexpr std::size_t rounded(std::size_t bytes) {
    const std::size_t unit = fill_huge_pages(bytes) ? huge : small;
    return (bytes + unit - 1) / unit * unit;
  }
  // Whether an allocation of `bytes` is large enough for huge pages.
  static constexpr bool fill_huge_pages(std::size_t bytes) { return bytes >= huge; }
  // On which `allocate` prefers to allocate; -1: on any.
  static int numa_node_near(int cpu);
  // Rounded up; zeroed and resident. `cpu`: allocates on its NUMA node; < 0: anywhere. If the node is full, another
  // node is used.
  static Result<Pages> allocate(std::size_t bytes, int cpu = -1);
  // Memory of a driver, which must outlive this object: touched, and locked if the limit allows it.
  static Pages of_driver(std::span<std::byte> memory);
  // The same memory, or a part of it, without its ownership.
  [[nodiscard]] Pages view() const { return view(0, bytes_); }
  [[nodiscard]] Pages view(std::size_t from, std::size_t bytes) const;
  Pages(Pages&& other) noexcept { *this = std::move(other); }
  Pages& operator=(Pages&& other) noexcept;
  ~Pages();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool reserved_huge() const { return reserved_huge_; }
  [[nodiscard]] bool locked() const { return locked_; }

private:
  static constexpr std::size_t small = 4096;
  static constexpr std::size_t huge = std::size_t{2} << 20U;

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool reserved_huge_ = false;
  bool locked_ = false;
  bool owned_ = false;
};

// For the log: what kind of pages a program's frame memory has, and how to lock it if it is not locked.
struct FrameMemory {
  std::size_t bytes = 0;
  std::size_t reserved_huge_bytes = 0;
  std::size_t locked_bytes = 0;

  void add(const Pages& pages);
  [[nodiscard]] std::string text() const;
};

}  // namespace lw
