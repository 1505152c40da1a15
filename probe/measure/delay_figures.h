// The figures of a flow that compare the clocks of two hosts: which of them are valid, and how exact they are.
#pragma once

#include "probe/loads/frame_times.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace lw {

// Turns the figures that a flow's receiver reports (FrameStatistics) into those of the result. `clocks_us`: bound of
// the difference between the clocks; 0: the same kernel; empty: unknown. Adds a bound to delays or drops them, and
// removes the drift of the clocks from the delay variation. The error of a card's stamps (card_error_us) is added.
void judge_by_clocks(nlohmann::json& figures, std::optional<double> clocks_us);

// [media time in us since 1970, departure or arrival after it in us] for each frame.
nlohmann::json frame_times_json(const std::vector<FrameTime>& times);

// Adds one_way_us_* and one_way_pdv_us_* (RFC 7679, RFC 5481) from the departures and arrivals of the same frames,
// each as from frame_times_json. Call before judge_by_clocks, which also removes the drift from
// these.
void add_one_way(nlohmann::json& figures, const nlohmann::json& departures, const nlohmann::json& arrivals);

}  // namespace lw
