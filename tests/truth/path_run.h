// The real sender's packets over a known path to the real receiver, on virtual time.
#pragma once

#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_record.h"
#include "common/metrics/histograms.h"
#include "common/metrics/wall_stats.h"
#include "common/wire/rtcp.h"
#include "probe/loads/frame_times.h"
#include "probe/loads/load_end.h"
#include "tests/truth/known_path.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace lw::truth {

// Datagrams that are not of the flow's stream.
struct Intruders {
  std::uint64_t garbage = 0;     // from the sender's address and port, but not RTP
  std::uint64_t elsewhere = 0;   // a packet of the stream, from another host
  std::uint64_t other_ssrc = 0;  // of another stream, from the sender's address and port
  std::uint64_t kept_out = 0;    // dropped by the kernel's filter of hosts
  [[nodiscard]] std::uint64_t seen() const { return garbage + elsewhere + other_ssrc; }
};

// The server's figures of the flow are about the newest frames: it learns no departures before these.
inline constexpr unsigned flights_known = 256;

struct PathRun {
  Flight flight;  // with the resends
  // The program's figures.
  ReceiverFlowStats stats;
  HistogramReadings<ReceiverFlowHistograms> histograms;
  FlowFigures frame_figures;  // of wall-probe's results
  WallFlowStats wall_flow;    // of the last `flights_known` frames
  HistogramReadings<WallFlowHistograms> wall_flow_histograms;
  std::vector<double> traced_flights_us;  // of all frames, from the records of both ends
  std::vector<FrameTime> departures, arrivals;
  std::optional<double> jitter_max_us;  // at `sampled_at`
  // What the test sees from outside, beside the flight.
  std::uint32_t first_number = 0;  // of the stream's packets, 32 bits
  std::uint64_t bytes_delivered = 0;
  Intruders intruders;
  WallTime sampled_at{};
  std::set<std::uint64_t> asked_again;  // packets named in the receiver's requests, counted from the first
  std::optional<ReportBlock> report;    // the receiver's last (RFC 3550 section 6.4.1)
  unsigned bands_open = 0;              // maximum at the same time
  std::uint64_t bands_handed_over = 0;
};

// `capture`: called with each datagram as it reaches the receiver's socket, at its time by the receiver's clock.
using Capture = std::function<void(WallTime, std::span<const std::byte>)>;

PathRun run_over(const KnownPath& path, const Capture& capture = {});

}  // namespace lw::truth
