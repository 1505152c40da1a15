// The real sender's packets over a known path to the real receiver, on virtual time.
#pragma once

#include "common/metrics/flow_stats.h"
#include "common/metrics/histograms.h"
#include "common/wire/rtcp.h"
#include "probe/loads/load_end.h"
#include "tests/truth/known_path.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace lw::truth {

struct PathRun {
  Flight flight;  // with the resends
  // The program's figures.
  ReceiverFlowStats stats;
  HistogramReadings<ReceiverFlowHistograms> histograms;
  FlowFigures frame_figures;  // of wall-probe's results
  // What the test sees from outside, beside the flight.
  std::uint32_t first_number = 0;  // of the stream's packets, 32 bits
  std::uint64_t bytes_delivered = 0;
  std::set<std::uint64_t> asked_again;  // packets named in the receiver's requests, counted from the first
  std::optional<ReportBlock> report;    // the receiver's last (RFC 3550 section 6.4.1)
  unsigned bands_open = 0;              // maximum at the same time
  std::uint64_t bands_handed_over = 0;
};

// `capture`: called with each datagram as it reaches the receiver's socket, at its time by the receiver's clock.
using Capture = std::function<void(WallTime, std::span<const std::byte>)>;

PathRun run_over(const KnownPath& path, const Capture& capture = {});

}  // namespace lw::truth
