// The stand-in for the physical limit: one thread sends 62 KB runs with UDP_SEGMENT from memory, one receives them with
// UDP_GRO straight into a frame area on huge pages. No headers, no order, no metrics: what the kernel alone can do,
// with a flow's patience for what it could not send in time.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"

#include <chrono>
#include <memory>
#include <string>

namespace lw::bench {

struct BarePair {
  std::string address = "127.0.0.1";
  double gbit_per_s = 0;              // 0: as fast as it goes
  double buffers_for_gbit_per_s = 0;  // the receive buffer is a flow's of this rate; 0: of gbit_per_s
  std::chrono::milliseconds duration{2000};
  unsigned datagram_bytes = 8900;
  std::size_t source_bytes = std::size_t{64} << 20U;  // sent from, again and again
  std::size_t area_bytes = std::size_t{64} << 20U;    // received into
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
  // Judged as a flow is: what was sent of what was offered, what of that came, how far behind its time the last of it
  // came. 0 Gbit/s: as fast as it goes.
  Result<Report> measure(double gbit_per_s, std::chrono::milliseconds duration);

private:
  struct Parts;
  explicit BareRig(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

Result<Report> run(const BarePair& pair);

}  // namespace lw::bench
