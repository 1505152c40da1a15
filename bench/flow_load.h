// The wall's own path under load: FlowSender -> UDP -> FlowReceiver, from memory or disks to frame buffers, with every
// metric kept unless told otherwise. A feeder offers frames at a frame rate, a taker gives finished bands back as a
// presenter would. Both sides in one process, or each on its own host.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace lw::bench {

enum class Side : std::uint8_t { both, sender, receiver };
enum class Measured : std::uint8_t {
  counts,   // packets and bytes, without which nothing could be told
  all,      // and all that a wall measures
  packets,  // and when each packet came
};

struct FlowLoad {
  Side side = Side::both;
  std::string sender_address = "127.0.0.1";
  std::string receiver_address = "127.0.0.1";
  unsigned flows = 1;
  double gbit_per_s = 10;  // UDP payload of all flows
  std::chrono::milliseconds duration{2000};
  unsigned datagram_bytes = 8900;  // UDP payload
  unsigned burst_packets = 64;     // as many as fit a segmented send
  unsigned width = 3840;           // of the flow's band, RGB
  unsigned rows = 2176;
  double pace_fraction = 0.98;
  std::string srtp_key_file;
  Measured measured = Measured::all;
  RunAssembly assemble = RunAssembly::automatic;
  std::chrono::microseconds busy_poll{0};
  std::filesystem::path store;  // empty: from memory
  std::vector<int> sender_cpus = {0};
  std::vector<int> receiver_cpus = {1};
};

// The wall that carries the load, at the frame rate that makes it.
Result<Wall> wall_of(const FlowLoad& load);

// What this side sent or received, lost and placed, and its CPU time. A receiver alone waits for the load and reports
// when it has ended.
Result<Report> run(const FlowLoad& load);

}  // namespace lw::bench
