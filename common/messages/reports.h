// The figures as JSON, as docs/protocol.md shapes them: written by who measures, checked by who reads. A figure that
// was not measured is absent.
#pragma once

#include "common/clock/system_clock.h"
#include "common/messages/rpc.h"
#include "common/metrics/clock_stats.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/metric.h"
#include "common/metrics/process_stats.h"
#include "common/metrics/wall_stats.h"

#include <span>
#include <string>
#include <vector>

namespace lw {

// Totals as they are; rates ("gbit_per_s", "fps", "cpu_share") are over the interval since `before`, absent when there
// is none.
Json to_json(const SenderFlowStats& now, const SenderFlowStats* before, TileId tile, double interval_s);
Json to_json(const ReceiverFlowStats& now, const ReceiverFlowStats* before, double interval_s);
Json to_json(const TileStats& now, const TileStats* before, double interval_s);
Json to_json(const ClockStats& now);
Json to_json(const ProcessStats& now, const ProcessStats* before, double interval_s);
Json to_json(const SystemClockState& now);
Json to_json(const WallStats& now);
Json to_json(const std::vector<SwapTime>& swaps);  // [[PTS in us since 1970, lateness in us], ...]

// Of reported figures: where nobody knows how far the clocks of two hosts are apart.
void erase_what_needs_clock_bound(Json& figures, std::span<const Metric> metrics);

// "2026-01-31T12:00:00.123Z"
std::string to_iso8601(WallTime time);

// A copy of a node's report with the known members only, all of the right type; nothing if it is no report. (Fuzzed.)
std::optional<Json> checked_report(const Json& report);

}  // namespace lw
