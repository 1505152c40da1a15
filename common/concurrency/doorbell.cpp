#include "common/concurrency/doorbell.h"

namespace lw {

// The count and the mute flag have one order for all threads: either the ringer sees that the bell is heard again, or
// whoever answers sees the count (Runner::step).
void Doorbell::ring() {
  rings_.fetch_add(1, std::memory_order_seq_cst);
  if (!muted_.load(std::memory_order_seq_cst)) note();
}

void Doorbell::note() {
  auto* board = board_.load(std::memory_order_acquire);
  if (board != nullptr && !noted_.exchange(true, std::memory_order_seq_cst)) board->note(*this);
}

void Doorbell::hang(BellBoard& board, std::uint32_t place) {
  place_.store(place, std::memory_order_relaxed);
  board_.store(&board, std::memory_order_seq_cst);
  note();
}

void BellBoard::note(Doorbell& bell) {
  bell.next_ = rung_.load(std::memory_order_relaxed);
  while (!rung_.compare_exchange_weak(bell.next_, &bell, std::memory_order_seq_cst)) {
  }
  wake();
}

Doorbell* BellBoard::take() {
  if (!has_rings()) return nullptr;
  auto* bell = rung_.exchange(nullptr, std::memory_order_seq_cst);
  Doorbell* first = nullptr;
  while (bell != nullptr) {
    auto* next = bell->next_;
    bell->next_ = first;
    first = bell;
    bell = next;
  }
  return first;
}

}  // namespace lw
