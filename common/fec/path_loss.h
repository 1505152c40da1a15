// Loss of packets by Gilbert's model (1960): a chain of two states; in the bad one all is lost. The mean stay there is
// `burst` packets, and the share of packets lost is `loss`. One model for what forward error correction is chosen by,
// what benchmarks lose and what the relay of a bad path does.
#pragma once

#include <algorithm>

namespace lw {

struct PathLoss {
  double loss = 0;   // 0..1, of packets
  double burst = 1;  // mean packets of a loss; up to 1 / (1 - loss): each by itself

  // Chances of one step, for a loss below 1: from bad to good, and from good to bad.
  [[nodiscard]] double leave_bad() const { return 1 / std::max(burst, 1 / (1 - loss)); }
  [[nodiscard]] double enter_bad() const { return loss * leave_bad() / (1 - loss); }
};

}  // namespace lw
