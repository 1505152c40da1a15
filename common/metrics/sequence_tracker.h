// Loss, duplicates and reordering of a flow, from the sequence numbers that arrive. When its sender is started again,
// another RTP stream begins; all totals continue.
//
// loss         RFC 3550 A.3: expected (highest - first + 1) less the different packets received. RFC 7680 counts a
//              packet as lost when it has not come within a bound, here `window` packets.
// runs         RFC 3611 section 4.1: uninterrupted runs of lost packets, counted once they can no longer be filled.
// duplicates   RFC 5560: a sequence number that came before.
// reordering   RFC 4737 section 3: a new packet whose number is below the highest that has come.
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

  // reordered: it was missing. repaired: it came after all, but repair() had been called for it.
  enum class Verdict : std::uint8_t { in_order, reordered, repaired, duplicate, too_old };

  // `sequence` is unrolled to 64 bits (common/wire/sequence.h).
  Verdict take(std::int64_t sequence);
  // The sender is known to have sent up to this packet: those before it that have not come are missing.
  void know_sent(std::int64_t sequence);
  // The packet was recovered by other means (sent again, parity). On the network it stays lost.
  void repair(std::int64_t sequence) {
    if (sequence <= highest_ - window || sequence > highest_ || seen(sequence)) return;
    mark(repaired_, sequence, true);
  }
  // Neither came nor was repaired. Of the newest `window` packets.
  [[nodiscard]] bool is_missing(std::int64_t sequence) const {
    return started_ && sequence > highest_ - window && sequence >= first_ && sequence <= highest_ && !seen(sequence) &&
           !is_marked(repaired_, sequence);
  }
  // `count` packets numbered from `first` on. The usual case, all of them next in order, costs little more than one.
  void take_run(std::int64_t first, std::int64_t count);

  // The stream has ended: nothing comes any more that would shorten a run.
  void end() {
    if (!started_) return;
    settle_up_to(highest_ + 1);
    end_run();
  }
  // The same, and another one begins with the next packet. What is lost between them nobody knows.
  void begin_stream();
  // From now on run_max() is of the packets that follow.
  void restart_run_max() {
    run_max_ = 0;
    run_max_from_ = started_ ? highest_ + 1 : std::numeric_limits<std::int64_t>::min();
  }

  // Of the stream.
  [[nodiscard]] bool empty() const { return !started_; }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t highest() const { return highest_; }
  // Of all streams.
  [[nodiscard]] std::uint64_t expected() const {
    return expected_before_ + (started_ ? static_cast<std::uint64_t>(highest_ - first_ + 1) : 0);
  }
  [[nodiscard]] std::uint64_t received() const { return received_; }  // different packets
  [[nodiscard]] std::uint64_t lost() const { return expected() - received_; }
  // Of these, those that had not come `settle` packets later: never falls (RFC 7680 with this waiting time).
  [[nodiscard]] std::uint64_t settled_lost() const { return settled_lost_; }
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
  [[nodiscard]] std::uint64_t reordered() const { return reordered_; }
  // Runs that ended more than `settle` packets ago; a packet that comes later still does not shorten them.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] std::uint64_t run_max() const { return run_max_; }
  // What of these is a flow's figure; its `duplicates` are of all ways by which a packet may come again.
  void fill_in(ReceiverFlowStats& figures) const;

private:
  static constexpr std::int64_t settle = 1'024;

  // A ring with a bit for each of the last `window` numbers.
  using Marks = std::array<std::uint64_t, window / 64>;
  static bool is_marked(const Marks& marks, std::int64_t sequence) {
    const auto bit = static_cast<std::uint64_t>(sequence) % window;
    return ((marks[bit / 64] >> (bit % 64)) & 1U) != 0;
  }
  void advance_to(std::int64_t sequence);
  static void mark(Marks& marks, std::int64_t sequence, bool value);
  [[nodiscard]] bool seen(std::int64_t sequence) const { return is_marked(seen_, sequence); }
  void settle_up_to(std::int64_t sequence);
  void end_run();

  std::uint64_t expected_before_ = 0;  // of the streams before this one
  bool started_ = false;
  std::int64_t first_ = 0;
  std::int64_t highest_ = 0;       // that is known to have been sent
  std::int64_t highest_came_ = 0;  // parity of a frame may come before its last packets
  std::int64_t settled_ = 0;       // all below are counted into runs
  std::uint64_t received_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t reordered_ = 0;
  std::uint64_t settled_lost_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t run_max_ = 0;
  std::uint64_t run_ = 0;  // length of the run that is being settled
  std::int64_t run_max_from_ = std::numeric_limits<std::int64_t>::min();
  Marks seen_{};
  Marks repaired_{};  // of numbers not seen; what it says of others is old
};

}  // namespace lw
