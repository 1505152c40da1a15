// The drift of two hosts' clocks relative to each other, from one-way delays. Queues only add to a delay, so the least
// delays show the drift, and the others do not matter: the drift is the slope of the line below all delays with the
// least sum of distances to them. Source: S. Moon, P. Skelly, D. Towsley, "Estimation and removal of clock skew from
// network delay measurements", IEEE INFOCOM 1999, section IV (linear programming). V. Paxson, "On calibrating
// measurements of packet transit times", ACM SIGMETRICS 1998, explains why fits to all delays fail. Pure.
#pragma once

#include <optional>
#include <vector>

namespace lw {

struct DelayAt {
  double at_s = 0;  // by the receiver's clock, with any origin
  double delay_us = 0;
};

struct DriftLine {
  double ppm = 0;  // how much faster the receiver's clock runs than the sender's
  double base_us = 0;

  [[nodiscard]] double above_us(const DelayAt& delay) const { return delay.delay_us - base_us - ppm * delay.at_s; }
};

// Oscillators are off by some 100 ppm, and a clock that is being adjusted is slewed by 500 ppm (adjtimex(2)). A faster
// increase is a queue.
inline constexpr double clock_drift_ppm_max = 1000;

// Empty for fewer than 32 delays, or less than a second.
std::optional<DriftLine> drift_line(std::vector<DelayAt> delays);

}  // namespace lw
