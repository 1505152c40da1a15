// What a capacity measurement is: command lines, the peer's messages and results share it.
#pragma once

#include "common/base/json.h"
#include "common/base/result.h"
#include "probe/capacity/rate_search.h"

#include <cmath>
#include <cstdint>

namespace lw {

inline constexpr unsigned capacity_intervals_max = 3600;  // of one test

inline Nanoseconds nanoseconds_of(double seconds) { return Nanoseconds{std::llround(seconds * 1e9)}; }

struct CapacitySpec {
  bool reverse = false;            // from the server to the client
  double duration_s = 10;          // I of RFC 9097: a whole number of sub-intervals
  double interval_s = 1;           // dt, a sub-interval
  double feedback_ms = 50;         // Ft: between two reports of the receiver
  unsigned datagram_bytes = 1222;  // UDP payload; packets are never fragmented
  unsigned dscp = 0;
  bool one_way = false;         // the search goes by the range of the one-way delay instead of the round trip's
  double start_gbit_per_s = 0;  // of the first row; 0: the table's
  double gbit_per_s_max = rate_of_row(rate_row_last).gbit();  // the table ends there
  std::uint16_t port = 50'000;                                // UDP, of the server
  SearchSettings search = {};                                 // without its rows, which follow from the rates

  [[nodiscard]] unsigned intervals() const;
  [[nodiscard]] SearchSettings search_settings() const;
};

// Strict: an unknown member, a wrong type or an impossible value is an error. (Fuzzed.)
Result<CapacitySpec> parse_capacity(const Json& json);
Json to_json(const CapacitySpec& spec);

}  // namespace lw
