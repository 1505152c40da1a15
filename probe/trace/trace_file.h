// Writes a trace as a file for Perfetto, and the durations of its stages for people and as JSON.
#pragma once

#include "common/base/result.h"
#include "probe/trace/trace.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace lw {

// Calls `write` with the pieces of a file.
using TraceWriter = std::function<void(const std::function<void(std::string_view)>& write)>;
Result<void> write_trace_file(const std::string& path, const TraceWriter& writer);
Result<void> write_trace(const Trace& trace, const std::string& path);

// {"frames", "records", "records_missed", "records_dropped", "stages": {"send": {"count", "us_min", "us_p50", ...},
// ...}}
nlohmann::json trace_summary(const Trace& trace);

// Tables on standard output; missing records are reported on standard error.
void print_burst_summary(const nlohmann::json& summary, const std::string& path);
void print_trace_summary(const nlohmann::json& summary, const std::string& path);

}  // namespace lw
