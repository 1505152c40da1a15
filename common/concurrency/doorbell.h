// Wakes a thread from other threads. A ring is never lost: it is counted, and noted on the board that the bell hangs
// on. A thread with many bells therefore looks only at those that were rung. For handing over work some hundred times a
// second, not per packet.
#pragma once

#include <atomic>
#include <cstdint>

namespace lw {

class BellBoard;

class Doorbell {
public:
  Doorbell() = default;
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  // Any thread. While the ring before is unanswered, another one is only counted.
  void ring();
  // Any thread: how often it was rung. Wraps.
  [[nodiscard]] std::uint32_t count() const { return rings_.load(std::memory_order_seq_cst); }

  // One thread at a time: from now on rings are noted on `board`, which must outlive them. The bell is noted at once,
  // for earlier rings. `place` tells the bells of a board apart.
  void hang(BellBoard& board, std::uint32_t place);
  // The answering thread: while the bell is muted, rings are only counted.
  void mute(bool muted) { muted_.store(muted, std::memory_order_seq_cst); }

private:
  friend class BellBoard;
  void note();

  std::atomic<std::uint32_t> rings_{0};
  std::atomic<bool> muted_{false};
  std::atomic<bool> noted_{false};
  std::atomic<std::uint32_t> place_{0};
  std::atomic<BellBoard*> board_{nullptr};
  Doorbell* next_ = nullptr;  // on the board
};

// The bells that were rung since they were last answered, each once. Any thread notes, one answers: a list without
// locks, which is always taken as a whole. A board must not be answered after one of its bells was destroyed.
class BellBoard {
public:
  BellBoard() = default;
  BellBoard(const BellBoard&) = delete;
  BellBoard& operator=(const BellBoard&) = delete;
  virtual ~BellBoard() = default;

  // The answering thread: calls heard(place) for each bell, in the order of their rings.
  template <class Heard>
  void answer(Heard heard) {
    auto* bell = take();
    while (bell != nullptr) {
      auto& rung = *bell;
      bell = rung.next_;  // before others may note it again
      rung.noted_.exchange(false, std::memory_order_seq_cst);
      if (rung.board_.load(std::memory_order_acquire) == this)
        heard(rung.place_.load(std::memory_order_relaxed));
      else
        rung.note();  // moved to another board meanwhile
    }
  }
  [[nodiscard]] bool has_rings() const { return rung_.load(std::memory_order_seq_cst) != nullptr; }

protected:
  // Any thread: a bell was noted.
  virtual void wake() = 0;

private:
  friend class Doorbell;
  void note(Doorbell& bell);
  Doorbell* take();

  std::atomic<Doorbell*> rung_{nullptr};  // the newest first
};

// A board that belongs to an agent: each ring on it also rings the agent's bell.
class PassingBoard final : public BellBoard {
public:
  explicit PassingBoard(Doorbell& bell) : bell_(bell) {}  // must outlive the rings
  [[nodiscard]] Doorbell& bell() const { return bell_; }

private:
  void wake() override { bell_.ring(); }
  Doorbell& bell_;
};

}  // namespace lw
