// The calls of a traced load of bursts: as a file for Perfetto, with a track for each flow, and summed up by stage.
// Pure.
#pragma once

#include "probe/loads/call_record.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct BurstTrace {
  std::string host;  // the sending one
  std::vector<CallRecord> calls;
  std::uint64_t missing = 0;  // records that were dropped
};

// Sorted by flow and time. Consecutive calls of the same kind within a burst are one stage.
std::vector<CallRecord> burst_stages(std::vector<CallRecord> calls);

// Writes the Trace Event Format in pieces. The slice of a burst contains the slices of its calls. Times are in
// microseconds since the first call. Writes nothing if there are no calls.
void write_burst_trace(const BurstTrace& trace, const std::function<void(std::string_view)>& write);

// {"flows", "bursts", "records", "records_missing", "stages": {"write": {"count", "s", "share"}, ...}}: for each stage
// the time of all flows, and its share of the time of all stages.
nlohmann::json burst_summary(const BurstTrace& trace);

}  // namespace lw
