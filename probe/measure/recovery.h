// How long a flow takes to recover from another load that disturbs it: from the end of the disturbance to the beginning
// of the first interval in which the flow has 90 % of its mean rate before. Pure.
//
// The papers' "responsiveness" (Antony et al. 2003, section 4.2: "the time it takes to recover after the congestion
// event"), with a share since a rate varies. Its resolution is that of the intervals.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

namespace lw {

inline constexpr double recovered_share = 0.9;

// Seconds. `intervals`: of a flow as a result has them, in their order. Nothing where it does not recover in their
// time, or where no complete interval is before the disturbance.
std::optional<double> recovery_s(const nlohmann::json& intervals, double disturbed_from_s, double disturbed_until_s);

}  // namespace lw
