// The reference for the physical limit: one thread sends 62 KB runs with UDP_SEGMENT from memory, another receives them
// with UDP_GRO directly into a frame area on huge pages. No headers, no order, no metrics: what the kernel alone can
// do, with a flow's time limit for packets that are late.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"

#include <chrono>
#include <memory>
#include <string>

namespace lw::bench {

struct BarePair {
  std::string address = "127.0.0.1";
  double gbit_per_s = 0;              // 0: as fast as possible
  double buffers_for_gbit_per_s = 0;  // rate for which the receive buffer is sized like a flow's; 0: gbit_per_s
  std::chrono::milliseconds duration{2000};
  unsigned datagram_bytes = 8900;
  std::size_t source_bytes = std::size_t{64} << 20U;  // memory to send from, repeatedly
  std::size_t area_bytes = std::size_t{64} << 20U;    // memory to receive into
  int sender_cpu = 0;
  int receiver_cpu = 1;
};

// Set up once for any number of measurements.
class BareRig {
public:
  static Result<std::unique_ptr<BareRig>> start(const BarePair& pair);
  ~BareRig();
  BareRig(const BareRig&) = delete;
  BareRig& operator=(const BareRig&) = delete;

  [[nodiscard]] Report facts() const;
  // Judged like a flow: sent of offered, received of sent, and the delay of the last packet behind its time. 0 Gbit/s:
  // as fast as possible.
  Result<Report> measure(double gbit_per_s, std::chrono::milliseconds duration);

private:
  struct Parts;
  explicit BareRig(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

Result<Report> run(const BarePair& pair);

}  // namespace lw::bench
