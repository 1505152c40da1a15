// One measurement from begin to end: both sides prepared, started, watched and stopped in order.
#pragma once

#include "probe/measure/peer.h"
#include "probe/measure/result.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace lw {

// Reported while it runs.
struct MeasurementListener {
  // An interval of a flow, as it will stand in the result, with its load, direction and flow.
  std::function<void(const nlohmann::json& interval)> on_interval;
  // What became of frames of the traced load, as either side has it.
  std::function<void(const nlohmann::json& frames)> on_frames = {};
};

// With each of the peers at the same time. An error where nothing was measured. What breaks later ends it early: a
// result that is not complete.
Result<nlohmann::json> measure(const RunSpec& run, const Peers& peers, const std::filesystem::path& records,
                               const std::string& command, const std::atomic<bool>& stop,
                               const MeasurementListener& listener);

}  // namespace lw
