// The probability that forward error correction fails on a path that loses packets.
#pragma once

#include "common/fec/fec_groups.h"
#include "common/fec/path_loss.h"

namespace lw {

// The probability that a frame is incomplete after correction: exact for a group, whose packets are `groups.count()`
// apart on the path; for the frame the sum over its groups, which is an upper bound.
double frame_loss_probability(const FecGroups& groups, FecStrength strength, const PathLoss& path);

}  // namespace lw
