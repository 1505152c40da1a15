// Loss of packets by Gilbert's model (1960): a chain of two states; in the bad one all packets are lost. The mean stay
// in the bad state is `burst` packets, and the share of packets lost is `loss`. One model for the choice of forward
// error correction, for benchmarks, and for the relay that simulates a bad path.
#pragma once

#include <algorithm>

namespace lw {

struct PathLoss {
  double loss = 0;   // 0..1, of packets
  double burst = 1;  // mean packets lost in a row; up to 1 / (1 - loss): independent losses

  // Probabilities of a transition, for a loss below 1: from bad to good, and from good to bad.
  [[nodiscard]] double leave_bad() const { return 1 / std::max(burst, 1 / (1 - loss)); }
  [[nodiscard]] double enter_bad() const { return loss * leave_bad() / (1 - loss); }
};

}  // namespace lw
