// The histograms of the server's page for Prometheus. Those of flows are added up over each tile: four flows of 512
// tiles with twenty bounds each would be more than anybody scrapes.
#pragma once

#include "common/metrics/histograms.h"

#include <map>

namespace lw {

struct ServerHistograms {
  std::map<unsigned, HistogramReadings<SenderFlowHistograms>> senders;  // by tile, as are
  std::map<unsigned, HistogramReadings<WallFlowHistograms>> flights;    // whose hosts' clocks can be compared
  HistogramReadings<WallHistograms> wall;
};

}  // namespace lw
