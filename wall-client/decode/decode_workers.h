// The threads of a node that decode bands: all of them work on a band together, so that it is done soon. Without
// threads, the caller decodes. start() belongs to one thread, the presenter's.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/spsc_ring.h"
#include "wall-client/decode/band_job.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace lw {

// How a node decodes: by separate threads, on these CPUs in turn, or in the presenter's steps.
struct Decoding {
  unsigned threads = 0;
  std::vector<int> cpus = {};
};

// A band to decode, and the bell that is rung when it is done.
struct DecodeOrder {
  BandJob* job = nullptr;
  Doorbell* done = nullptr;
};

class DecodeWorkers {
public:
  struct Options {
    unsigned threads = 0;         // 0: the caller decodes
    std::vector<int> cpus = {};   // to which they are pinned in turn; none: to none
    unsigned width_max = 0;       // of the node's tiles, in pixels
    std::size_t orders_max = 64;  // at once
  };
  static Result<std::unique_ptr<DecodeWorkers>> start(const Options& options);
  ~DecodeWorkers();
  DecodeWorkers(const DecodeWorkers&) = delete;
  DecodeWorkers& operator=(const DecodeWorkers&) = delete;

  // Begins the job with this band.
  void decode(const DecodeOrder& order, const ReceivedBand& band);
  [[nodiscard]] std::size_t threads() const { return workers_.size(); }

private:
  class Worker;
  explicit DecodeWorkers(const Options& options);

  std::vector<std::unique_ptr<Worker>> workers_;
  ChunkWorker own_;                               // without threads
  std::vector<std::unique_ptr<Runner>> runners_;  // last: joined before the workers are destroyed
};

// How many threads decode so many pixels per second: at half of what a core does, so that bands wait for none.
unsigned decode_threads(double pixels_per_s, unsigned cores);

}  // namespace lw
