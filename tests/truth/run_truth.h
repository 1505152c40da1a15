// The figures that wall-probe run computes from what both ends report (probe/measure/result.h), against the truth.
#pragma once

#include "tests/truth/figure.h"
#include "tests/truth/path_run.h"

#include <cstdint>
#include <vector>

namespace lw::truth {

// The first packet of a frame that arrived.
struct FirstPacket {
  unsigned frame = 0;
  WallTime arrival{};    // by the receiver's clock
  Nanoseconds delay{0};  // from its departure, by a clock without error
};

// From the frame's media time to the arrival, by a clock without error.
Nanoseconds since_media(const FirstPacket& first, const Flight& flight);

void add_run_figures(Table& table, const KnownPath& path, const PathRun& run, const std::vector<FirstPacket>& firsts,
                     std::uint64_t lost);

}  // namespace lw::truth
