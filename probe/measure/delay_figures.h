// The figures of a flow that compare the clocks of two hosts: which of them hold, and how exactly.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

namespace lw {

// The figures of a flow, by its receiver (FrameStatistics), become those of its result. `clocks_us`: the clocks are
// apart by no more; 0: one kernel's; nothing: not known. Delays get a bound, or are dropped; of delay
// variation the clocks' drift is taken out.
void judge_by_clocks(nlohmann::json& figures, std::optional<double> clocks_us);

// one_way_us_* and one_way_pdv_us_* (RFC 7679, RFC 5481): from the departures and arrivals of the same frames, each
// [[media time in us, time after it in us], ...]. Call it before judge_by_clocks, which the drift of these needs as
// well.
void add_one_way(nlohmann::json& figures, const nlohmann::json& departures, const nlohmann::json& arrivals);

}  // namespace lw
