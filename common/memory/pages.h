// Page-aligned memory for frames: taken once, touched at once, on transparent huge pages where the kernel gives them.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <span>
#include <utility>

namespace lw {

class Pages {
public:
  Pages() = default;
  // Rounded up to 2 MiB above 2 MiB, else to 4 KiB; zeroed and resident.
  static Result<Pages> allocate(std::size_t bytes);
  Pages(Pages&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Pages();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace lw
