// The wall's own path under load: FlowSender -> UDP -> FlowReceiver, from memory or disks to frame buffers, with every
// default metric. A feeder offers frames; a thread takes finished bands, keeps them until their presentation and
// returns them, waking like the presenter. Both sides in one process, or each on its own host.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"
#include "common/wall/wall_file.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lw::bench {

enum class Side : std::uint8_t { both, sender, receiver };
enum class Measured : std::uint8_t {
  counts,   // packets and bytes, the minimum for a result
  all,      // also everything that a wall measures
  packets,  // also the arrival of each packet
};

// How frames are cut into packets, and how they lie before they are sent.
enum class Cut : std::uint8_t {
  rows,    // as many pixels as fit, from frames row behind row
  slots,   // packets of one shape, from frames row behind row
  stored,  // the same, from frames that lie as these packets
};

struct FlowLoad {
  Side side = Side::both;
  std::string sender_address = "127.0.0.1";
  std::string receiver_address = "127.0.0.1";
  std::uint16_t port = 50000;  // of the first flow
  unsigned flows = 1;
  double gbit_per_s = 10;  // UDP payload of all flows; buffers are sized for this rate
  std::chrono::milliseconds duration{2000};
  unsigned datagram_bytes = 8900;  // UDP payload
  Cut cut = Cut::rows;
  unsigned burst_packets = 64;  // as many as fit a segmented send
  unsigned width = 3840;        // of the flow's band, RGB
  unsigned rows = 2176;
  double pace_fraction = 0.98;
  bool defaults = false;  // resends, forward error correction, bursts, pacing and playout delay as in a wall file
  std::string srtp_key_file;
  Measured measured = Measured::all;
  RunAssembly assemble = RunAssembly::automatic;
  bool zero_copy = false;
  std::chrono::microseconds busy_poll{0};
  std::filesystem::path store;  // empty: from memory
  std::vector<int> sender_cpus = {0};
  std::vector<int> receiver_cpus = {1};
};

// The wall that carries the load, with the frame rate for it.
Result<Wall> wall_of(const FlowLoad& load);

// Sender and receiver of a load, or one of them; set up once for any number of measurements.
class FlowRig {
public:
  static Result<std::unique_ptr<FlowRig>> start(const FlowLoad& load);
  ~FlowRig();
  FlowRig(const FlowRig&) = delete;
  FlowRig& operator=(const FlowRig&) = delete;

  // The memory of frames on both sides, and the receiver's socket buffer.
  [[nodiscard]] Report facts() const;
  // Sends frames at this rate for this time. Returns when none of them is in flight, so that all counts belong to this
  // measurement: sent of offered, received of sent, the delay of the last complete frame behind its time, and CPU
  // time.
  Result<Report> measure(double gbit_per_s, std::chrono::milliseconds duration);

private:
  struct Parts;
  explicit FlowRig(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// One measurement, after a short one that does not count. A receiver alone waits for the load and reports when it has
// ended.
Result<Report> run(const FlowLoad& load);

}  // namespace lw::bench
