// The cost and effect of forward error correction: our encoding and decoding compared to the library's own loop over
// the same amount of memory, and how many frames stay incomplete on a path that loses packets in bursts, with our
// Reed-Solomon groups and with the row and column parity of RFC 8627 / ST 2022-5 at the same share of parity.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"
#include "common/fec/loss_prediction.h"

#include <cstddef>

namespace lw::bench {

struct FecLoad {
  FecStrength strength{20, 4};
  std::size_t packets = 17'000;  // per frame
  std::size_t packet_bytes = 1356;
  PathLoss path{0.01, 8};
  std::size_t path_packets = 569;  // per frame sent over the path
  unsigned path_frames = 200'000;
};

Result<Report> run(const FecLoad& load);

}  // namespace lw::bench
