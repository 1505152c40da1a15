// What the relay in the path of a sweep did, in the result of a run. Pure.
#pragma once

#include "probe/impair/relay_lane.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace lw {

struct RelayDirection {
  RelayCounts counts;
  RelayTimes times;
};

// Sets `path` of the result: the relay's settings, and its report of both directions as `wall-probe impair --json`
// prints it. A run in which the relay or its sockets dropped packets is marked, because these count as loss of the
// path. Returns the note of that mark; empty if there were none.
std::string put_relay(nlohmann::json& result, const nlohmann::json& settings, const RelayDirection& forward,
                      const RelayDirection& backward);

}  // namespace lw
