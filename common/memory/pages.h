// Page-aligned memory for frames: taken once and touched at once, so that no page fault falls into playing. On reserved
// huge pages where the host has enough of them (vm.nr_hugepages), else on transparent ones where the kernel gives
// them; near the core that works on it; locked, so that it is never swapped out, where the limit allows it.
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
  // What an allocation of so many bytes takes: whole pages, huge ones above 2 MiB.
  static constexpr std::size_t rounded(std::size_t bytes) {
    const std::size_t unit = bytes >= huge ? huge : small;
    return (bytes + unit - 1) / unit * unit;
  }
  // Rounded up; zeroed and resident. `cpu`: on whose NUMA node the memory is to
  // be; < 0: anywhere. A node that has none left gives way to another.
  static Result<Pages> allocate(std::size_t bytes, int cpu = -1);
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
};

// For the log: how much of a program's frame memory is on what, and how to lock it where it is not.
struct FrameMemory {
  std::size_t bytes = 0;
  std::size_t reserved_huge_bytes = 0;
  std::size_t locked_bytes = 0;

  void add(const Pages& pages);
  [[nodiscard]] std::string text() const;
};

}  // namespace lw
