// The stand-in for the physical limit: one thread sends 62 KB runs with UDP_SEGMENT from memory, one receives them with
// UDP_GRO straight into a frame area on huge pages. No headers, no order, no metrics: what the kernel alone can do,
// with a flow's patience for what it could not send in time.
#pragma once

#include "common/base/result.h"

#include "bench/report.h"

#include <chrono>
#include <string>

namespace lw::bench {

struct BarePair {
  std::string address = "127.0.0.1";
  double gbit_per_s = 0;  // 0: as fast as it goes
  std::chrono::milliseconds duration{2000};
  unsigned datagram_bytes = 8900;
  int sender_cpu = 0;
  int receiver_cpu = 1;
};

Result<Report> run(const BarePair& pair);

}  // namespace lw::bench
