// Connects two stages of an import, each on its own thread: a fixed number of slots that are filled and taken in turn,
// in order. Slots keep their memory, so that frames are handed on without allocation. How the first stage ended comes
// after its last slot: the second stage sees an error after all frames before it, whatever the threads' timing.
//
// One thread fills and one takes. A mutex is enough: it is locked some times per frame, not per packet.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "common/base/result.h"

namespace lw {

template <class Slot>
class StageRing {
public:
  explicit StageRing(std::vector<Slot> slots) : slots_(std::move(slots)) {}  // at least one
  StageRing(const StageRing&) = delete;
  StageRing& operator=(const StageRing&) = delete;

  // The filling thread: waits for a free slot. The same one until filled(); nullptr after cancel().
  Slot* to_fill() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return cancelled_ || filled_ - taken_ < slots_.size(); });
    return cancelled_ ? nullptr : &slots_[filled_ % slots_.size()];
  }
  void filled() {
    change([this] { ++filled_; });
  }
  // The filling thread: no slot follows. Only the first call counts.
  void end(const Result<void>& outcome) {
    change([&] {
      if (!outcome_) outcome_ = outcome;
    });
  }

  // The taking thread: waits for a filled slot. The same one until taken(); nullptr after the last one and after
  // cancel().
  Slot* to_take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return cancelled_ || outcome_ || filled_ != taken_; });
    return cancelled_ || filled_ == taken_ ? nullptr : &slots_[taken_ % slots_.size()];
  }
  // The taking thread: whether to_take() returns at once, now or within this time.
  bool ready_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return cancelled_ || outcome_ || filled_ != taken_; });
  }
  void taken() {
    change([this] { ++taken_; });
  }
  // After to_take() returned nullptr: how the filling stage ended; empty if it was cancelled.
  std::optional<Result<void>> outcome() {
    const std::lock_guard lock(mutex_);
    return cancelled_ ? std::nullopt : outcome_;
  }

  // Any thread: both stages stop waiting.
  void cancel() {
    change([this] { cancelled_ = true; });
  }

private:
  template <class Change>
  void change(const Change& apply) {
    {
      const std::lock_guard lock(mutex_);
      apply();
    }
    changed_.notify_all();  // at most one thread waits, except while the ring is cancelled
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::uint64_t filled_ = 0;
  std::uint64_t taken_ = 0;
  std::optional<Result<void>> outcome_;
  bool cancelled_ = false;
};

}  // namespace lw
