// GET /metrics: the newest figures of the server and of all nodes, in Prometheus' text format.
#pragma once

#include "common/messages/stats.h"
#include "common/wall/wall_file.h"
#include "server/control/server_histograms.h"

#include <string>

namespace lw {

// `stats`: null if none have been collected yet.
std::string metrics_text(const Wall& wall, const Stats* stats, const ServerHistograms& histograms);

}  // namespace lw
