// How probably forward error correction fails, on a path that loses packets by Gilbert's model (1960): a chain of two
// states; in the bad one all is lost; the mean stay there is `burst` packets, and the share of packets lost is `loss`.
#pragma once

#include "common/fec/fec_groups.h"

namespace lw {

struct PathLoss {
  double loss = 0;   // 0..1, of packets
  double burst = 1;  // mean packets of a loss; up to 1 / (1 - loss): each by itself
};

// That a frame of so many packets is not whole after correction: exact for a group, whose packets are `groups.count()`
// apart on the path; for the frame the sum over its groups, an upper bound.
double frame_loss_probability(const FecGroups& groups, FecStrength strength, const PathLoss& path);

}  // namespace lw
