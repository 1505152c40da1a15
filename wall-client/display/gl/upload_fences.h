// Which uploads the GPU may still be reading. Each upload has a number, from 1; the GPU reads them in this order. The
// law: an upload counts as read only if its fence has passed, or if it had none to wait for, as have all before it.
//
// `Fence` is movable, and has passed(), which does not wait, and wait(). One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lw {

template <class Fence>
class UploadFences {
public:
  static constexpr std::size_t in_flight_max = 8;

  // The number of the upload that is added next.
  [[nodiscard]] std::uint64_t next() const { return issued_ + 1; }
  // An upload from memory that is free again already.
  void add() { ++issued_; }
  // An upload that the GPU reads until the fence passes. Waits if too many are in flight.
  void add(Fence fence) {
    if (held_ == in_flight_max) pass_oldest();
    auto& newest = oldest(held_++);
    newest.number = ++issued_;
    newest.fence = std::move(fence);
  }

  // How many of the newest uploads the GPU may still be reading. Does not wait.
  [[nodiscard]] std::uint64_t unread() {
    while (held_ > 0 && oldest().fence.passed()) drop_oldest();
    return held_ == 0 ? 0 : issued_ - oldest().number + 1;
  }
  // Until the GPU has read this upload and all before it.
  void wait_for(std::uint64_t number) {
    while (held_ > 0 && oldest().number <= number) pass_oldest();
  }

private:
  struct Held {
    std::uint64_t number = 0;
    Fence fence;
  };

  Held& oldest(std::size_t after = 0) { return ring_[(first_ + after) % in_flight_max]; }
  void pass_oldest() {
    oldest().fence.wait();
    drop_oldest();
  }
  void drop_oldest() {
    oldest().fence = Fence{};
    first_ = (first_ + 1) % in_flight_max;
    --held_;
  }

  std::uint64_t issued_ = 0;
  std::array<Held, in_flight_max> ring_{};
  std::size_t first_ = 0, held_ = 0;
};

}  // namespace lw
