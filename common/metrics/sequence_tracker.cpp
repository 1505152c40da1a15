#include "common/metrics/sequence_tracker.h"

#include <algorithm>

namespace lw {

void SequenceTracker::mark(Marks& marks, std::int64_t sequence, bool value) {
  const auto bit = static_cast<std::uint64_t>(sequence) % window;
  const auto mask = std::uint64_t{1} << (bit % 64);
  if (value)
    marks[bit / 64] |= mask;
  else
    marks[bit / 64] &= ~mask;
}

void SequenceTracker::clear_marks() {
  for (auto* marks : {&seen_, &repaired_, &dropped_, &unsent_}) marks->fill(0);
}

// Nothing up to `sequence`, which becomes the highest, has come.
void SequenceTracker::advance_to(std::int64_t sequence, bool sent) {
  const auto count = sequence - highest_;
  if (count > window - settle) {
    // So far ahead that the ring cannot distinguish the unsettled packets: all between are lost now.
    settle_up_to(highest_ + 1);
    if (sent) {
      run_ += static_cast<std::uint64_t>(count - 1);
      settled_lost_ += static_cast<std::uint64_t>(count - 1);
    }
    settled_ = sequence;
    unsettled_unsent_ = 0;
    clear_marks();
  }
  // Of numbers that were not sent, more may be unsettled than the ring has room for.
  settle_up_to(std::min(highest_ + 1, sequence - window + 1));
  for (auto number = std::max(highest_ + 1, settled_); number <= sequence; ++number) {
    mark(seen_, number, false);
    mark(repaired_, number, false);
    mark(dropped_, number, false);
    mark(unsent_, number, !sent);
    unsettled_unsent_ += !sent;
  }
  if (!sent) unsent_count_ += static_cast<std::uint64_t>(count);
  highest_ = sequence;
}

void SequenceTracker::skip(std::int64_t last) {
  if (!started_ || last <= highest_) return;
  advance_to(last, false);
  settle_old();
}

void SequenceTracker::correct(std::int64_t first, std::int64_t last, bool sent) {
  if (!started_) return;
  for (auto number = std::max(first, settled_); number <= std::min(last, highest_); ++number) {
    if (seen(number) || is_marked(unsent_, number) != sent) continue;
    mark(unsent_, number, !sent);
    unsent_count_ += sent ? ~std::uint64_t{0} : 1;
    unsettled_unsent_ += sent ? -1 : 1;
  }
}

void SequenceTracker::know_sent(std::int64_t sequence) {
  if (!started_ || sequence <= highest_) return;
  advance_to(sequence);
  settle_old();
}

SequenceTracker::Verdict SequenceTracker::take(std::int64_t sequence) {
  if (!started_) {
    started_ = true;
    first_ = highest_ = highest_came_ = settled_ = sequence;
    clear_marks();
    mark(seen_, sequence, true);
    ++received_;
    return Verdict::in_order;
  }
  if (sequence > highest_) {
    advance_to(sequence);
    highest_came_ = sequence;
    mark(seen_, sequence, true);
    ++received_;
    settle_old();
    return Verdict::in_order;
  }
  if (sequence <= highest_ - window || sequence < first_) return Verdict::too_old;
  if (seen(sequence)) {
    ++duplicates_;
    return Verdict::duplicate;
  }
  if (is_marked(unsent_, sequence)) {
    --unsent_count_;
    unsettled_unsent_ -= sequence >= settled_;
  }
  mark(seen_, sequence, true);
  ++received_;
  dropped_count_ -= is_marked(dropped_, sequence);
  if (sequence < highest_came_) ++reordered_;
  highest_came_ = std::max(highest_came_, sequence);
  return is_marked(repaired_, sequence) ? Verdict::repaired : Verdict::reordered;
}

void SequenceTracker::take_run(std::int64_t first, std::int64_t count) {
  if (count > 0 && (!started_ || first != highest_ + 1 || count > settle)) {
    take(first++);
    --count;
  }
  if (count <= 0) return;
  if (first != highest_ + 1 || count > settle) {
    for (; count > 0; --count) take(first++);
    return;
  }
  for (auto sequence = first; sequence < first + count; ++sequence) mark(seen_, sequence, true);
  highest_ += count;
  highest_came_ = highest_;
  received_ += static_cast<std::uint64_t>(count);
  settle_old();
}

std::uint64_t SequenceTracker::drop_missing(std::int64_t above, std::uint64_t most) {
  if (!started_) return 0;
  const auto begin = std::max(above, first_ - 1) + 1;
  const auto ring_begin = std::max(begin, highest_ - window + 1);
  // So long a gap that not all of it is in the ring: that part was settled as lost when it was noticed.
  auto count = std::min(most, static_cast<std::uint64_t>(std::max<std::int64_t>(ring_begin - begin, 0)));
  settled_dropped_ += count;
  for (auto sequence = ring_begin; sequence <= highest_ && count < most; ++sequence) {
    if (seen(sequence) || is_marked(dropped_, sequence) || is_marked(unsent_, sequence)) continue;
    mark(dropped_, sequence, true);
    settled_dropped_ += sequence < settled_;
    ++count;
  }
  dropped_count_ += count;
  return count;
}

void SequenceTracker::settle_up_to(std::int64_t sequence) {
  for (; settled_ < sequence; ++settled_) {
    if (!seen(settled_) && is_marked(unsent_, settled_)) {
      --unsettled_unsent_;
    } else if (!seen(settled_)) {
      ++run_;
      ++settled_lost_;
      settled_dropped_ += is_marked(dropped_, settled_);
    } else if (run_ > 0) {
      end_run();
    }
  }
}

// Packets wait for so many others, not for numbers of none.
void SequenceTracker::settle_old() {
  while (highest_ - settled_ - unsettled_unsent_ > settle) settle_up_to(settled_ + 1);
}

// The run ends before settled_.
void SequenceTracker::end_run() {
  if (run_ == 0) return;
  ++runs_;
  const auto begin = settled_ - static_cast<std::int64_t>(run_);
  const auto from = std::max(begin, run_max_from_);
  if (from < settled_) run_max_ = std::max(run_max_, static_cast<std::uint64_t>(settled_ - from));
  run_ = 0;
}

void SequenceTracker::fill_in(ReceiverFlowStats& figures) const {
  figures.lost = lost();
  figures.arrived = received();
  figures.lost_settled = settled_lost();
  if (figures.kernel_drops) {
    figures.kernel_drops = dropped();
    figures.kernel_drops_settled = settled_dropped();
  }
  figures.loss_runs = runs();
  figures.loss_run_max = run_max();
  figures.reordered = reordered();
}

void SequenceTracker::begin_stream() {
  end();
  expected_before_ = expected();
  unsent_count_ = 0;
  unsettled_unsent_ = 0;
  started_ = false;
  run_max_from_ = std::numeric_limits<std::int64_t>::min();
}

}  // namespace lw
