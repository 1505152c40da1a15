// The incidents of the chosen time, from the samples themselves: a session has neither alarms nor previews. Draws
// nothing.
#pragma once

#include "wall-control/plots/plot_notes.h"
#include "wall-control/plots/time_plot.h"

#include <vector>

namespace lw {

// Times in which packets were lost, at least five seconds apart: a warning where all were repaired, else a fault that
// the audience could see. Those that the window already knows come first.
std::vector<Incident> incidents_of(const PlotSource& source);

// Of the chosen time.
struct LossTotals {
  double lost = 0, repaired = 0;  // packets
  bool measured = false;
  [[nodiscard]] bool all_repaired() const { return repaired >= lost * 0.999; }
};
LossTotals loss_of(const FlowRow& flow, const SampleSpan& span);
// The packets or other counts that a rate adds up to; at least these, if only seconds are kept of the time.
std::optional<double> total_of(const TimeSeries& series, const SampleSpan& span);
State state_of(const PlotSource& source, const TileRow& tile, const SampleSpan& span);

}  // namespace lw
