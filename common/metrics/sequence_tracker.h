// Loss, duplicates and reordering of a flow, from the sequence numbers that arrive. When the sender restarts, another
// RTP stream begins; all totals continue.
//
// loss         RFC 3550 A.3: expected (highest - first + 1) minus the different packets received. RFC 7680 counts a
//              packet as lost when it has not arrived within a bound, here `window` packets.
// runs         RFC 3611 section 4.1: uninterrupted runs of lost packets, counted once they can no longer be filled.
// duplicates   RFC 5560: a sequence number that arrived before.
// reordering   RFC 4737 section 3: a new packet whose number is below the highest received.
// drops        missing packets that the receiver's own kernel dropped, according to the caller.
// not sent     numbers that belong to no packet, according to the caller (common/metrics/varying_frames.h): neither
//              expected nor lost.
//
// One thread; no allocation after construction.
#pragma once

#include "common/metrics/flow_stats.h"

#include <array>
#include <cstdint>
#include <limits>

namespace lw {

class SequenceTracker {
public:
  static constexpr std::int64_t window = 65'536;  // packets: 18 ms at 40 Gbit/s of 1400 bytes, seconds on a slow flow

  // reordered: it was missing. repaired: it arrived after repair() had been called for it.
  enum class Verdict : std::uint8_t { in_order, reordered, repaired, duplicate, too_old };

  // `sequence` is extended to 64 bits (common/wire/sequence.h).
  Verdict take(std::int64_t sequence);
  // The sender is known to have sent all packets up to this one: those that have not arrived are missing.
  void know_sent(std::int64_t sequence);
  // The numbers above the highest, up to this one, belong to no packet.
  void skip(std::int64_t last);
  // Whether these numbers belong to packets, as far as that is still open: those that have arrived do.
  void correct(std::int64_t first, std::int64_t last, bool sent);
  // The packet was recovered by other means (resend, parity). It still counts as lost on the network.
  void repair(std::int64_t sequence) {
    if (sequence <= highest_ - window || sequence > highest_ || seen(sequence)) return;
    mark(repaired_, sequence, true);
  }
  // The receiver's kernel dropped up to `most` packets just before the newest arrivals: marks the first missing packets
  // above `above`, and returns their number. A marked packet that arrives later was not dropped.
  std::uint64_t drop_missing(std::int64_t above, std::uint64_t most);
  // Neither arrived nor repaired; for the newest `window` packets.
  [[nodiscard]] bool is_missing(std::int64_t sequence) const {
    return started_ && sequence > highest_ - window && sequence >= first_ && sequence <= highest_ && !seen(sequence) &&
           !is_marked(repaired_, sequence) && !is_marked(unsent_, sequence);
  }
  // `count` packets, numbered from `first` on. The usual case, all in order, costs little more than a single packet.
  void take_run(std::int64_t first, std::int64_t count);

  // The stream has ended: no later packet can shorten a run.
  void end() {
    if (!started_) return;
    settle_up_to(highest_ + 1);
    end_run();
  }
  // Ends the stream; another one begins with the next packet. Losses between the two cannot be known.
  void begin_stream();
  // Resets run_max(), which then covers the packets that follow.
  void restart_run_max() {
    run_max_ = 0;
    run_max_from_ = started_ ? highest_ + 1 : std::numeric_limits<std::int64_t>::min();
  }

  // Of the current stream.
  [[nodiscard]] bool empty() const { return !started_; }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t highest() const { return highest_; }
  // Totals of all streams.
  [[nodiscard]] std::uint64_t expected() const {
    return expected_before_ + (started_ ? static_cast<std::uint64_t>(highest_ - first_ + 1) - unsent_count_ : 0);
  }
  [[nodiscard]] std::uint64_t received() const { return received_; }  // different packets
  [[nodiscard]] std::uint64_t lost() const { return expected() - received_; }
  // Of these, packets that had not arrived `settle` packets later: never falls (RFC 7680 with this waiting time).
  [[nodiscard]] std::uint64_t settled_lost() const { return settled_lost_; }
  // Packets of lost() and of settled_lost() that the receiver's kernel dropped.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_count_; }
  [[nodiscard]] std::uint64_t settled_dropped() const { return settled_dropped_; }
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
  [[nodiscard]] std::uint64_t reordered() const { return reordered_; }
  // Runs that ended more than `settle` packets ago; packets that arrive even later do not shorten them.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] std::uint64_t run_max() const { return run_max_; }
  // Fills in the flow's figures, except `duplicates`, which the flow counts over all ways in which packets can repeat.
  void fill_in(ReceiverFlowStats& figures) const;

private:
  static constexpr std::int64_t settle = 1'024;

  // A ring with a bit for each of the last `window` numbers.
  using Marks = std::array<std::uint64_t, window / 64>;
  static bool is_marked(const Marks& marks, std::int64_t sequence) {
    const auto bit = static_cast<std::uint64_t>(sequence) % window;
    return ((marks[bit / 64] >> (bit % 64)) & 1U) != 0;
  }
  void advance_to(std::int64_t sequence, bool sent = true);
  void settle_old();
  static void mark(Marks& marks, std::int64_t sequence, bool value);
  [[nodiscard]] bool seen(std::int64_t sequence) const { return is_marked(seen_, sequence); }
  void clear_marks();
  void settle_up_to(std::int64_t sequence);
  void end_run();

  std::uint64_t expected_before_ = 0;  // of the previous streams
  bool started_ = false;
  std::int64_t first_ = 0;
  std::int64_t highest_ = 0;       // highest number known to have been sent
  std::int64_t highest_came_ = 0;  // may be less: parity of a frame may arrive before its last packets
  std::int64_t settled_ = 0;       // all runs below are counted
  std::uint64_t received_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t reordered_ = 0;
  std::uint64_t settled_lost_ = 0;
  std::uint64_t dropped_count_ = 0;
  std::uint64_t settled_dropped_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t run_max_ = 0;
  std::uint64_t run_ = 0;  // length of the run being settled
  std::int64_t run_max_from_ = std::numeric_limits<std::int64_t>::min();
  Marks seen_{};
  Marks repaired_{};                   // valid only for numbers not in seen_
  Marks dropped_{};                    // likewise
  Marks unsent_{};                     // likewise
  std::uint64_t unsent_count_ = 0;     // of this stream
  std::int64_t unsettled_unsent_ = 0;  // of these, from settled_ on
};

}  // namespace lw
