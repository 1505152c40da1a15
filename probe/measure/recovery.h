// How long a flow takes to recover from a disturbance by another load: from the end of the disturbance to the beginning
// of the first interval in which the flow has 90 % of its previous mean rate. Pure.
//
// The papers call it "responsiveness" (Antony et al. 2003, section 4.2: "the time it takes to recover after the
// congestion event"); a share is used because rates vary. Its resolution is that of the intervals.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

namespace lw {

inline constexpr double recovered_share = 0.9;

// Seconds. `intervals`: of a flow, as in a result and in order. Empty if it does not recover within them, or if no
// complete interval precedes the disturbance.
std::optional<double> recovery_s(const nlohmann::json& intervals, double disturbed_from_s, double disturbed_until_s);

}  // namespace lw
