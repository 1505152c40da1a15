// What the two ends of a capacity measurement report when it is over. The report of a peer is JSON from outside.
#pragma once

#include "common/base/json.h"
#include "common/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct CapacitySent {
  std::string ended;              // why before its time; empty: it was over
  std::uint64_t packets = 0;      // that the kernel took
  std::uint64_t send_errors = 0;  // that it refused
  std::uint64_t skipped = 0;      // that were due, but this host was too slow to send
  std::uint64_t statuses = 0, statuses_lost = 0;
  bool congested = false;                  // the search found the path congested
  std::vector<double> offered_gbit_per_s;  // in each sub-interval, the mean of the rates of the search; IP layer

  bool operator==(const CapacitySent&) const = default;
};

struct CapacityReceived {
  struct Interval {
    std::uint64_t sent = 0, received = 0, lost = 0, reordered = 0, duplicates = 0;  // packets
    // Absent if nothing was measured. The range: above the least one-way delay of the whole test.
    std::optional<double> round_trip_us_min = {}, round_trip_us_max = {}, one_way_range_us = {};

    bool operator==(const Interval&) const = default;
  };
  std::string ended;  // why before its time
  std::vector<Interval> intervals;
  std::uint64_t strange = 0;                       // datagrams that are no load of this test
  std::optional<std::uint64_t> kernel_drops = {};  // messages that did not fit into the socket

  bool operator==(const CapacityReceived&) const = default;
};

Json to_json(const CapacitySent& sent);
Json to_json(const CapacityReceived& received);
// Strict. (Fuzzed.)
Result<CapacitySent> parse_capacity_sent(const Json& json);
Result<CapacityReceived> parse_capacity_received(const Json& json);

}  // namespace lw
