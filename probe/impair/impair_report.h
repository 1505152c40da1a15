// The report of `wall-probe impair` for one direction since its start: counts, the real delays of packets, how late
// they left, and what the relay itself dropped. Pure.
#pragma once

#include "probe/impair/relay_lane.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace lw {

// Figures that were not measured are absent.
nlohmann::json direction_json(const RelayCounts& counts, const RelayTimes& times);
// One line without a line feed.
std::string direction_text(const RelayCounts& counts, const RelayTimes& times);

}  // namespace lw
