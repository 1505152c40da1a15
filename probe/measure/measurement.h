// One measurement from begin to end: prepares, starts, monitors and stops both sides in order.
#pragma once

#include "probe/loads/call_record.h"
#include "probe/measure/peer.h"
#include "probe/measure/result.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lw {

// Callbacks during a measurement.
struct MeasurementListener {
  // An interval of a flow, as in the result, with its load, direction and flow.
  std::function<void(const nlohmann::json& interval)> on_interval;
  // Frame records of the traced load, from either side.
  std::function<void(const nlohmann::json& frames)> on_frames = {};
  // At the end: the calls of a traced load of bursts, and how many records are missing.
  std::function<void(const std::vector<CallRecord>& calls, std::uint64_t missing)> on_calls = {};
};

// Measures with all peers at the same time. An error if nothing was measured. A later failure ends the measurement
// early: the result is then marked as not complete.
Result<nlohmann::json> measure(const RunSpec& run, const Peers& peers, const std::filesystem::path& records,
                               const std::string& command, const std::atomic<bool>& stop,
                               const MeasurementListener& listener);

}  // namespace lw
