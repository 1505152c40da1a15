// Whether sending without the kernel's copy is worth it on a flow's interface: for small sends, tracking pages costs
// more than the copy, and some cards and all virtual ones copy in the end. Tries both ways for some frames each and
// compares the thread's CPU time. Pure; one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

class ZeroCopyTrial {
public:
  static constexpr unsigned frames_of_each = 30;

  // Whether the next frame is to be sent with zero copy.
  [[nodiscard]] bool zero_copy() const { return step_ == Step::without_copy || step_ == Step::decided_for; }
  [[nodiscard]] bool decided() const { return step_ == Step::decided_for || step_ == Step::decided_against; }

  // What a frame cost. `copied_after_all`: the kernel copied some of it despite MSG_ZEROCOPY.
  void add_frame(double cpu_s, std::uint64_t bytes, bool copied_after_all) {
    if (zero_copy() && copied_after_all) {
      step_ = Step::decided_against;
      return;
    }
    if (decided()) return;
    auto& sum = sums_[zero_copy() ? 1 : 0];
    sum.cpu_s += cpu_s;
    sum.bytes += bytes;
    if (++sum.frames < frames_of_each) return;
    if (!zero_copy())
      step_ = Step::without_copy;
    else
      step_ = sums_[1].per_byte() < sums_[0].per_byte() ? Step::decided_for : Step::decided_against;
  }

private:
  enum class Step : std::uint8_t { with_copy, without_copy, decided_for, decided_against };
  struct Sum {
    double cpu_s = 0;
    std::uint64_t bytes = 0;
    unsigned frames = 0;
    [[nodiscard]] double per_byte() const { return bytes == 0 ? 0 : cpu_s / static_cast<double>(bytes); }
  };

  Step step_ = Step::with_copy;
  std::array<Sum, 2> sums_{};
};

}  // namespace lw
