// What the receiver of a capacity measurement counts: in each sub-interval of the test, for its result, and since the
// last report, for the search (RFC 9097 sections 5 and 8.1). Pure; no allocation after construction.
#pragma once

#include "common/metrics/sequence_tracker.h"
#include "probe/capacity/capacity_packets.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

struct DelayExtremes {
  std::optional<Nanoseconds> min = {}, max = {};

  void add(Nanoseconds delay) {
    min = min ? std::min(*min, delay) : delay;
    max = max ? std::max(*max, delay) : delay;
  }
  // How far the largest is above the least of the whole test; nothing if nothing was measured.
  [[nodiscard]] std::optional<Nanoseconds> range_above(const DelayExtremes& test) const {
    return max && test.min ? std::optional(*max - *test.min) : std::nullopt;
  }
};

struct CapacityTotals {
  std::uint64_t sent = 0;  // by their numbers
  std::uint64_t received = 0, reordered = 0, duplicates = 0;

  // Packets that came here and were sent in the sub-interval before may make it negative, which is none.
  [[nodiscard]] std::uint64_t lost() const { return sent > received ? sent - received : 0; }
};

struct CapacityInterval {
  CapacityTotals counts;
  DelayExtremes round_trip, one_way;  // one-way: with the unknown difference of two clocks
};

class CapacityCounter {
public:
  // So many sub-intervals of this length, from the first packet's arrival on.
  CapacityCounter(Nanoseconds interval, unsigned intervals);

  // Does nothing once the test is complete. `arrival`: of this host's monotonic clock.
  void take(const LoadPacket& packet, LocalTime arrival);
  // Ends sub-intervals that are over.
  void step(LocalTime now);
  // The packets since the last call.
  StatusPacket report(LocalTime now);

  [[nodiscard]] bool begun() const { return begin_.has_value(); }
  [[nodiscard]] bool complete() const { return intervals_.size() == intervals_max_; }
  [[nodiscard]] LocalTime newest() const { return newest_; }  // arrival
  // Those that ended.
  [[nodiscard]] const std::vector<CapacityInterval>& intervals() const { return intervals_; }
  // Of all of the test, whose least delays the ranges are counted from.
  [[nodiscard]] const DelayExtremes& round_trip() const { return round_trip_; }
  [[nodiscard]] const DelayExtremes& one_way() const { return one_way_; }

private:
  [[nodiscard]] CapacityTotals totals() const;

  const Nanoseconds interval_;
  const std::size_t intervals_max_;
  SequenceTracker tracker_;
  std::optional<LocalTime> begin_;
  LocalTime newest_{};
  LocalTime status_measured_{};  // the newest one whose round trip was taken
  std::vector<CapacityInterval> intervals_;
  CapacityInterval now_;
  CapacityTotals before_interval_, before_report_;
  DelayExtremes round_trip_, one_way_;                // of the test
  DelayExtremes report_round_trip_, report_one_way_;  // since the last report
  std::uint32_t reports_ = 0;
};

}  // namespace lw
