// Between code values and light. Light is in units of the reference white of graphics and SDR, 203 cd/m2 (ITU-R
// BT.2408), so that SDR goes from 0 to 1. That of HLG is the scene's, from 0 to 1: its display light needs all three
// channels (colour_map.h). Code values go from 0 to 1.
#pragma once

#include "common/pixel/colour.h"

namespace lw {

inline constexpr double reference_white = 203;  // cd/m2
inline constexpr double hlg_peak = 1000;        // cd/m2 of the display for which HLG is rendered, BT.2100's
inline constexpr double pq_peak = 10'000;       // cd/m2

double light_of(Transfer transfer, double code);
double code_of(Transfer transfer, double light);

}  // namespace lw
