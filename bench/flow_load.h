// The wall's own path under load, from memory to frame buffers: FlowSender -> UDP -> FlowReceiver, with every metric
// kept. A feeder offers frames at a frame rate, a taker gives finished bands back as a presenter would.
#pragma once

#include "common/base/result.h"

#include "bench/report.h"
#include "common/net/datagram_sender.h"

#include <chrono>
#include <string>
#include <vector>

namespace lw::bench {

struct FlowLoad {
  std::string address = "127.0.0.1";
  unsigned flows = 1;
  double gbit_per_s = 10;  // UDP payload of all flows
  std::chrono::milliseconds duration{2000};
  unsigned datagram_bytes = 8900;  // UDP payload
  unsigned burst_packets = 64;     // as many as fit a segmented send
  unsigned width = 3840;           // of the flow's band, RGB
  unsigned rows = 2176;
  double pace_fraction = 0.98;
  RunAssembly assemble = RunAssembly::automatic;
  std::vector<int> sender_cpus = {0};
  std::vector<int> receiver_cpus = {1};
};

// What was sent, received, lost and placed, and the CPU time of both sides.
Result<Report> run(const FlowLoad& load);

}  // namespace lw::bench
