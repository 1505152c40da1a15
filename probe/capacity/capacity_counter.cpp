#include "probe/capacity/capacity_counter.h"

#include <algorithm>

namespace lw {
namespace {

CapacityTotals operator-(const CapacityTotals& a, const CapacityTotals& b) {
  return {a.sent - b.sent, a.received - b.received, a.reordered - b.reordered, a.duplicates - b.duplicates};
}

std::uint32_t on_wire(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX));
}

}  // namespace

CapacityCounter::CapacityCounter(Nanoseconds interval, unsigned intervals)
    : interval_(interval), intervals_max_(intervals) {
  intervals_.reserve(intervals);
}

CapacityTotals CapacityCounter::totals() const {
  return {tracker_.expected(), tracker_.received(), tracker_.reordered(), tracker_.duplicates()};
}

void CapacityCounter::take(const LoadPacket& packet, LocalTime arrival) {
  if (!begin_) begin_ = arrival;
  newest_ = std::max(newest_, arrival);
  step(arrival);
  if (complete()) return;
  tracker_.take(static_cast<std::int64_t>(packet.sequence));
  const auto one_way = arrival.time_since_epoch() - packet.sent.time_since_epoch();
  for (auto* extremes : {&now_.one_way, &one_way_, &report_one_way_}) extremes->add(one_way);
  // One round trip for each status: the first packet that returns it.
  if (!packet.status_time || *packet.status_time <= status_measured_) return;
  status_measured_ = *packet.status_time;
  const auto round_trip = arrival - *packet.status_time - packet.status_held;
  if (round_trip < Nanoseconds{0}) return;  // not a time of this host's
  for (auto* extremes : {&now_.round_trip, &round_trip_, &report_round_trip_}) extremes->add(round_trip);
}

void CapacityCounter::step(LocalTime now) {
  while (begin_ && !complete() && now >= *begin_ + interval_ * (static_cast<std::int64_t>(intervals_.size()) + 1)) {
    const auto all = totals();
    now_.counts = all - before_interval_;
    before_interval_ = all;
    intervals_.push_back(now_);
    now_ = {};
  }
}

StatusPacket CapacityCounter::report(LocalTime now) {
  const auto all = totals();
  const auto counts = all - before_report_;
  before_report_ = all;
  const StatusPacket status{reports_++,
                            on_wire(counts.received),
                            on_wire(counts.lost()),
                            on_wire(counts.reordered),
                            on_wire(counts.duplicates),
                            report_one_way_.range_above(one_way_),
                            report_round_trip_.range_above(round_trip_),
                            now};
  report_one_way_ = report_round_trip_ = {};
  return status;
}

}  // namespace lw
